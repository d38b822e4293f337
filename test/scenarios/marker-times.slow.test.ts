/** Times of a marker are not an agent's to choose: what would set them is refused, or the marker does not count. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { evalGate, gated, mark, marker } from './gates-world.ts';
import type { World } from './world.ts';

const MARKER = marker('review');
const HOUR = 3_600_000;

/** A marker of an hour ago, and an attempt that began a minute ago and found it there. */
function earlier(): World {
  const w = gated({ review: { marker: true } });
  mark(w, 'review', Date.now() - HOUR, 'an earlier run\n');
  assert.equal(w.cli(['attempt', 'start', 'review']).code, 0);
  const path = join(w.root, '.claude/state/session.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as { sessions: { attempts: Record<string, number> }[] };
  file.sessions.at(-1)!.attempts.review = Date.now() - 60_000;
  writeFileSync(path, JSON.stringify(file));
  w.file('tools/fresh.txt', 'x');
  w.sh("touch -d '-30 seconds' tools/fresh.txt");
  return w;
}

describe('a script that no hook sees sets the times of an earlier marker', () => {
  for (const command of [
    `touch -d '-30 seconds' ${MARKER}`,
    `touch -r tools/fresh.txt ${MARKER}`,
    `touch -t $(date -d '-30 seconds' +%Y%m%d%H%M.%S) ${MARKER}`,
    `perl -e 'utime time - 30, time - 30, "${MARKER}"'`,
    `python3 -c "import os, time; os.utime('${MARKER}', (time.time() - 30, time.time() - 30))"`,
    `node -e "fs.utimesSync('${MARKER}', Date.now() / 1000 - 30, Date.now() / 1000 - 30)"`,
    `cp -p tools/fresh.txt ${MARKER}`,
    `cp ${MARKER} tools/kept && touch -d '+1 hour' ${MARKER}`,
    `tar -cf tools/a.tar ${MARKER} && rm ${MARKER} && tar -xpf tools/a.tar`,
    `echo ${MARKER} | cpio -o --quiet > tools/a.cpio && rm ${MARKER} && cpio -idm --quiet < tools/a.cpio`,
    `cp -p ${MARKER} tools/kept && rm ${MARKER} && mv tools/kept ${MARKER}`,
    `rsync -t tools/fresh.txt ${MARKER}`,
  ]) {
    test(command, t => {
      using w = earlier();
      const missing = ['perl', 'python3', 'cpio', 'rsync'].find(
        tool => command.includes(`${tool} `) && w.sh(`command -v ${tool}`).code !== 0,
      );
      if (missing !== undefined) return t.skip(`${missing} is not installed`);
      w.sh(command);
      const { verdict } = evalGate(w, 'review');
      assert.equal(verdict.satisfied, false, verdict.reason);
      assert.match(verdict.reason, /is stale|in the future/);
      assert.equal(verdict.comparison?.outcome, 'stale_invalidated');
    });
  }

  test('writing it is no setting of its time', () => {
    for (const command of [`echo ok > ${MARKER}`, `rm ${MARKER}; echo ok > ${MARKER}`, `printf '' > ${MARKER}`]) {
      using w = earlier();
      w.sh(command);
      assert.equal(evalGate(w, 'review').verdict.satisfied, true, command);
    }
    using w = earlier();
    assert.equal(w.cli(['gate', 'pass', 'review']).code, 0);
  });
});

test('what names a marker and would set its times is refused, in whatever language', () => {
  using w = gated({ review: { marker: true } });
  w.cli(['init', '.']);
  w.file(MARKER, 'ok\n');
  for (const command of [
    `touch ${MARKER}`,
    `cp -a package.json ${MARKER}`,
    `tar xf a.tar ${MARKER}`,
    `perl -e 'utime 1, 1, "${MARKER}"'`,
    `perl -e 'utime(undef, undef, "${MARKER}")'`,
    `ruby -e 'File.utime(0, 0, "${MARKER}")'`,
    `php -r 'touch("${MARKER}", 1);'`,
    `python3 -c "import pathlib; pathlib.Path('${MARKER}').touch()"`,
    `python3 -c "import shutil; shutil.copystat('a', '${MARKER}')"`,
    `deno eval "Deno.utimeSync('${MARKER}', 1, 1)"`,
  ]) {
    assert.equal(w.bash(command).code, 2, command);
  }
  for (const command of [
    `echo ok > ${MARKER}`,
    `python3 -c "open('${MARKER}', 'w').write('ok')"`,
    'touchstone gate pass review',
  ]) {
    assert.equal(w.bash(command).code, 0, command);
  }
  w.sh(`rm ${MARKER}`);
  assert.equal(w.bash(`python3 -c "import pathlib; pathlib.Path('${MARKER}').touch()"`).code, 0, 'made, not touched');
});

test('a marker that git holds is not checked out again as proof', () => {
  using w = gated({ review: { marker: true } });
  w.cli(['init', '.']);
  w.file(MARKER, 'ok\n').git('add', '-f', MARKER);
  w.git('commit', '-qm', 'a marker');
  w.sh(`echo gone > ${MARKER}`);
  for (const command of [`git checkout -- ${MARKER}`, `git restore ${MARKER}`, `git checkout HEAD~0 -- ${MARKER}`])
    assert.equal(w.bash(command).code, 2, command);
});
