/** Runs on a disk that is full, or that takes no writes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { ids, runProject, runsDir } from './runs-project.ts';
import { CLI, cleanEnv, FIXED, type World } from './world.ts';

const FIX = `printf '%s\\n' '${FIXED.trim()}' > src/add.js`;
const UNIT = { tasks: 'specs/login/tasks.md', verification: [{ name: 'unit', argv: ['node', '--test'] }] };

const run = (w: World, ...args: string[]) => w.cli(['run', ...args]);

/** A small disk of its own for the state, in a namespace of its own; null where that is not to be had. */
function onSmallDisk(w: World, script: string): { code: number | null; out: string } | null {
  const state = join(w.root, '.claude/state');
  const all = `set -e; cp -a ${state} ${w.top}/kept; mount -t tmpfs -o size=400k none ${state}; cp -a ${w.top}/kept/. ${state}; set +e; exec 2>&1; ${script}`;
  const done = spawnSync('unshare', ['-rm', '/bin/bash', '-c', all], {
    cwd: w.root,
    env: { ...cleanEnv(w.home), T: `${process.execPath} ${CLI}`, HOOKS: join(dirname(CLI), 'hooks') },
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (done.error || /unshare:|mount:/.test(done.stderr)) return null;
  return { code: done.status, out: done.stdout };
}

const FILL = 'dd if=/dev/zero of=.claude/state/fill bs=1k count=9999 2>/dev/null; true';

describe('a disk that is full', () => {
  it('while an agent works: the answer is given, nothing is ticked, and the next command closes the run', t => {
    using w = runProject(UNIT);
    const done = onSmallDisk(
      w,
      `$T run --task 1 -- sh -c "${FIX.replaceAll('"', '\\"')}; ${FILL}"; echo "exit $?"; cat specs/login/tasks.md
       rm .claude/state/fill; echo ROOM; $T run list`,
    );
    if (done === null) return t.skip('no small disk to be had here');
    const [full, room] = done.out.split('ROOM\n');
    assert.match(full!, /added|modified src\/add\.js/);
    assert.match(full!, /not kept: .*run\.json \(ENOSPC\)/);
    assert.match(full!, /exit 1\n/);
    assert.doesNotMatch(full!, /- \[x\] 1\./);
    assert.match(room!, /RESULT\n.*interrupted/);
    assert.match(done.out, /was left open \(its process is gone\): closed as interrupted/);
  });

  it('at the end of a turn: the guards answer, and the run is closed once there is room', t => {
    using w = runProject({ test: { cmd: '' } });
    const payload = (name: string, more = '') =>
      `printf '%s' '{"session_id":"A","cwd":"${w.root}","hook_event_name":"${name}"${more}}'`;
    const stop = `${payload('Stop', ',"last_assistant_message":"Done."')} | ${process.execPath} $HOOKS/stop.cjs`;
    const write = `${payload('PreToolUse', `,"tool_name":"Write","tool_input":{"file_path":"${w.root}/.claude/state/last_test_result","content":"PASS"}`)}`;
    const call = `${payload('PostToolUse', `,"tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"${'word '.repeat(400)}"}`)} | ${process.execPath} $HOOKS/post-tool-use.cjs`;
    const done = onSmallDisk(
      w,
      `${payload('UserPromptSubmit', ',"prompt":"go"')} | ${process.execPath} $HOOKS/user-prompt-submit.cjs; echo x > x.txt; ${FILL}; for i in 1 2 3; do ${call}; done
       ${write} | ${process.execPath} $HOOKS/pre-tool-use.cjs; echo "guard $?"; ${stop}; echo "stop $?"
       $T run list; rm .claude/state/fill; echo ROOM; ${stop}; $T run list; $T run show $(ls .claude/state/runs); ls .claude/state/open-runs`,
    );
    if (done === null) return t.skip('no small disk to be had here');
    const [full, room] = done.out.split('ROOM\n');
    assert.match(full!, /guard 2\n.*not kept: run\.json \(ENOSPC\).*\nstop 0\n/);
    assert.match(full!, /RESULT\n.*\(in progress\)/);
    assert.match(done.out, /not kept: .*run\.json \(ENOSPC\)/);
    assert.match(room!, /RESULT\n.*implemented-unverified/);
    assert.match(room!, /added {4}x\.txt/);
    assert.match(room!, /Not kept\n {2}lines of events\.jsonl\n/);
    assert.doesNotMatch(room!, /\.json$/m);
  });
});

describe('a state folder that cannot be written', () => {
  it('is read all the same', t => {
    using w = runProject({ test: { cmd: '' } });
    const done = onSmallDisk(
      w,
      `$T run begin --id one; $T run finish one > ../out; mkdir -p .claude/state/open-runs
       echo '{"run":"one","session":"x"}' > .claude/state/open-runs/x.json; touch .claude/state/tmp/4194304.a.0.tmp
       mount -o remount,ro .claude/state || exit 9; echo RO; $T run list; echo "list $?"; $T run show one | head -1; $T run begin; echo "begin $?"`,
    );
    if (done === null || done.code === 9) return t.skip('no read-only disk to be had here');
    const [, after] = done.out.split('RO\n');
    assert.match(after!, /could not be looked after \(EROFS\)/);
    assert.match(after!, /could not be removed \(EROFS\)/);
    assert.match(after!, /no-change\nlist 0\n/);
    assert.match(after!, /Run one\n/);
    assert.match(after!, /EROFS: .*: make that folder writable, then run it again\nbegin 2\n/);
  });

  it('keeps no hook waiting, is said to the user, and no guard lets go of anything', t => {
    using w = runProject({ test: { cmd: 'node --test' } });
    const hook = (file: string, name: string, more = '') =>
      `printf '%s' '{"session_id":"A","cwd":"${w.root}","hook_event_name":"${name}"${more}}' | ${process.execPath} $HOOKS/${file}.cjs; echo "${file} $?"`;
    const forged = `,"tool_name":"Write","tool_input":{"file_path":"${w.root}/.claude/state/last_test_result","content":"PASS"}`;
    const called = ',"tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a"}';
    const done = onSmallDisk(
      w,
      `${hook('user-prompt-submit', 'UserPromptSubmit', ',"prompt":"go"')}; mount -o remount,ro .claude/state || exit 9
       echo RO; SECONDS=0; ${hook('post-tool-use', 'PostToolUse', called)}; ${hook('pre-tool-use', 'PreToolUse', forged)}
       ${hook('stop', 'Stop', ',"last_assistant_message":"All tests pass."')}; ${hook('user-prompt-submit', 'UserPromptSubmit', ',"prompt":"go"')}
       [ $SECONDS -lt 20 ] && echo prompt-ly; $T status | head -1; $T verify; echo "verify $?"`,
    );
    if (done === null || done.code === 9) return t.skip('no read-only disk to be had here');
    const [, blocked] = done.out.split('RO\n');
    assert.match(
      blocked!,
      /"systemMessage":"Touchstone: this call is not in the record.*EROFS[\s\S]*post-tool-use 0\n/,
    );
    assert.match(blocked!, /state-files: Write would change[\s\S]*pre-tool-use 2\n/);
    assert.match(blocked!, /"systemMessage":"Touchstone: UNVERIFIED.*EROFS[\s\S]*stop 0\n/);
    assert.match(
      blocked!,
      /"systemMessage":"Touchstone: EROFS.*the record of this run was not kept[\s\S]*user-prompt-submit 0\n/,
    );
    assert.match(blocked!, /^prompt-ly$/m);
    assert.doesNotMatch(blocked!, /verdict +PASS/);
    assert.match(blocked!, /verify 2\n/);
  });

  it('the record says what was lost, the commands say where', () => {
    using w = runProject({ test: { cmd: '' } });
    rmSync(join(w.root, '.claude/state/tmp'), { recursive: true, force: true });
    writeFileSync(join(w.root, '.claude/state/tmp'), 'in the way\n');
    const ran = run(w, 'begin');
    assert.equal(ran.code, 2);
    assert.match(ran.err, /\.claude\/state\/tmp/);
    mkdirSync(runsDir(w), { recursive: true });
    assert.deepEqual(ids(w), []);
  });
});
