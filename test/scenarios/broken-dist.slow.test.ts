/** A hook whose files are damaged refuses what it cannot judge, and says so in one line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanEnv, DIST, redProject } from './world.ts';

const TEST = 'test/add.test.js';
const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });

/** What each file is needed for, and the calls that cannot be judged without it. */
const NEEDED = {
  'shell.cjs': bash(`echo x > ${TEST}`),
  'parser.cjs': bash(`[[ -e src ]] && echo x > ${TEST}`),
  'shell/git.cjs': bash(`git checkout HEAD -- ${TEST}; git rm ${TEST}`),
  'rules.cjs': {
    tool_name: 'Write',
    tool_input: { file_path: 'package.json', content: '{"scripts":{"test":"true"}}' },
  },
  'oracle.cjs': bash('git checkout HEAD~1'),
  'engine.cjs': { tool_name: 'Task', tool_input: { prompt: 'x', subagent_type: 'y' } },
};

test('a missing, empty, cut or replaced file of the hook', () => {
  using w = redProject();
  assert.equal(w.cli(['init', '.']).code, 0);
  assert.equal(w.cli(['freeze', '--paths', 'test/**']).code, 0);
  const dist = join(w.top, 'dist');
  cpSync(DIST, dist, { recursive: true });
  for (const [name, call] of Object.entries(NEEDED)) {
    const path = join(dist, name);
    const whole = readFileSync(path);
    const damages: Record<string, () => void> = {
      missing: () => undefined,
      empty: () => writeFileSync(path, ''),
      cut: () => writeFileSync(path, whole.subarray(0, whole.length / 2)),
      'a folder': () => mkdirSync(path),
      'another program': () => writeFileSync(path, 'module.exports = {};'),
    };
    for (const [how, damage] of Object.entries(damages)) {
      rmSync(path, { recursive: true, force: true });
      damage();
      const ran = spawnSync(process.execPath, [join(dist, 'hooks/pre-tool-use.cjs')], {
        cwd: w.root,
        env: cleanEnv(w.home),
        encoding: 'utf8',
        input: JSON.stringify({
          session_id: 'S',
          cwd: w.root,
          hook_event_name: 'PreToolUse',
          tool_use_id: 't',
          ...call,
        }),
      });
      assert.deepEqual([ran.status, ran.stdout], [2, ''], `${name} ${how}: ${ran.stderr}`);
      assert.match(ran.stderr, /^Touchstone [\w-]+: [^\n]+\n?$/, `${name} ${how}`);
      // The reason itself, and not what came of it.
      if (how === 'missing' && /^(?:shell|rules|engine|oracle)\.cjs$/.test(name))
        assert.match(ran.stderr, /ENOENT.*\.cjs/, name);
    }
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, whole);
  }
});
