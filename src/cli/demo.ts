/** `touchstone demo`: the whole way from a red test to a push, in a throw-away project, through the real commands and hooks. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { acceptRules } from '../config/accept.ts';
import { builtDist } from '../install/places.ts';
import { git, TRUSTLESS } from '../repo/git.ts';
import { type CliCommand, print } from './command.ts';
import { BENT_TEST, FIXED, place, placeProject, TEST } from './demo-project.ts';

type Ran = { code: number | null; out: string };

/** `proof`: the file, from the project root, that shows it happened. */
type Step = { title: string; shown: string; proof: string; held: boolean };

export const demoCommand: CliCommand = {
  define(command: Command) {
    command.option('--keep', 'leave the project in place, to look around in it').action(act);
  },
};

const COMMIT_ENV = {
  GIT_AUTHOR_NAME: 'Demo',
  GIT_AUTHOR_EMAIL: 'demo@example.invalid',
  GIT_COMMITTER_NAME: 'Demo',
  GIT_COMMITTER_EMAIL: 'demo@example.invalid',
};

async function act(options: { keep?: boolean }): Promise<void> {
  const dist = builtDist();
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-demo-')));
  const root = join(top, 'project');
  const began = Date.now();
  try {
    print(`A throw-away project: ${root}\n\n`);
    let held = true;
    let number = 0;
    for await (const step of walk(root, top, dist)) {
      number++;
      const there = existsSync(join(root, step.proof));
      print(
        `${number}. ${step.title}\n${indented(step.shown)}\n   proof: ${step.proof}${there ? '' : ' (MISSING)'}\n\n`,
      );
      if (step.held && there) continue;
      held = false;
      print('This step did not go as it should. Run: touchstone doctor');
      break;
    }
    if (held)
      print(`Done in ${((Date.now() - began) / 1000).toFixed(1)} s: nothing was believed, everything was shown.`);
    process.exitCode = held ? 0 : 1;
  } finally {
    if (options.keep) print(`Kept: ${root}`);
    else rmSync(top, { recursive: true, force: true });
  }
}

const indented = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map(line => `   ${line}`)
    .join('\n');

async function* walk(root: string, top: string, dist: string): AsyncGenerator<Step> {
  const { cli, bash, write, commit } = actors(root, top, dist);
  placeProject(root);
  commit('Start');
  must(git([...TRUSTLESS, 'init', '-q', '--bare', join(top, 'origin.git')], { cwd: root }));
  must(git([...TRUSTLESS, 'remote', 'add', 'origin', join(top, 'origin.git')], { cwd: root }));
  await acceptRules(root, 'demo');

  const bound = cli('plan', 'bind');
  yield step(
    'The plan is bound: what each stage may write, and what proves it',
    bound,
    0,
    '.claude/state/stages/binding.json',
  );

  cli('stage', 'start', 'implement-tests');
  place(root, 'test/add.test.js', TEST);
  const red = cli('stage', 'finish');
  yield step(
    'Red: the new test fails on its assertion, seen by the engine itself',
    red,
    0,
    '.claude/state/evidence/stages/implement-tests-0001.json',
  );
  yield step('Frozen: the test that was proven is held', cli('freeze', 'status'), 0, '.claude/state/freeze.json');

  cli('stage', 'start', 'implement');
  const bent = write('test/add.test.js', BENT_TEST);
  yield step(
    'Refused: the agent would bend the test instead of the code',
    bent,
    2,
    '.claude/state/logs/frozen-tests.log',
  );

  place(root, 'src/add.js', FIXED);
  const green = cli('stage', 'finish', '--summary', 'All tests pass.');
  yield step(
    'Green: the code is corrected; the summary counts for nothing, the run does',
    green,
    0,
    '.claude/state/evidence/stages/implement-0001.json',
  );
  commit('Correct the sign of add');

  place(root, 'src/add.js', `${FIXED}export const twice = a => add(a, a);\n`);
  commit('Add twice');
  const stale = bash('git push origin main');
  yield step('Refused: a push of a tree that nobody proved', stale, 2, '.claude/state/logs/delivery.log');

  const again = cli('deliver');
  yield step(
    'Proven again: what is stale is run once more, at the tree that leaves',
    again,
    0,
    '.claude/state/evidence/checks/unit-0003.json',
  );

  const pushed = bash('git push origin main');
  if (pushed.code === 0) must(git([...TRUSTLESS, 'push', '-q', 'origin', 'main'], { cwd: root }));
  const done = { code: pushed.code, out: pushed.out || 'git push origin main: allowed, and pushed' };
  yield step('Delivered', done, 0, '.git/refs/remotes/origin/main');
}

function step(title: string, ran: Ran, wanted: number, proof: string): Step {
  return { title, shown: ran.out, proof, held: ran.code === wanted };
}

/** Our own command line and the pre-tool hook, each as a process of its own, as a person and an agent would meet them. */
function actors(root: string, top: string, dist: string) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:CLAUDE|GIT_|NODE_TEST_)/.test(name)),
  );
  const run = (args: string[], input = ''): Ran => {
    const done = spawnSync(process.execPath, args, {
      cwd: root,
      env: { ...env, HOME: top },
      input,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { code: done.status, out: `${done.stdout}${done.stderr}` };
  };
  const tool = (tool_name: string, tool_input: object): Ran =>
    run(
      [join(dist, 'hooks/pre-tool-use.cjs')],
      JSON.stringify({
        hook_event_name: 'PreToolUse',
        session_id: 'demo',
        cwd: root,
        tool_name,
        tool_input,
        tool_use_id: 'demo',
      }),
    );
  return {
    cli: (...args: string[]) => run([join(dist, 'cli.cjs'), ...args]),
    bash: (command: string) => tool('Bash', { command }),
    write: (path: string, content: string) => tool('Write', { file_path: join(root, path), content }),
    commit: (message: string) => {
      if (!existsSync(join(root, '.git'))) must(git([...TRUSTLESS, 'init', '-q', '-b', 'main'], { cwd: root }));
      must(git([...TRUSTLESS, 'add', '-A'], { cwd: root }));
      const args = ['-c', 'commit.gpgSign=false', 'commit', '-q', '-m', message];
      must(git([...TRUSTLESS, ...args], { cwd: root, env: COMMIT_ENV }));
    },
  };
}

function must(result: ReturnType<typeof git>): void {
  if (!result.ok) throw Object.assign(new Error(`demo: ${result.message}`), { code: 'demo-git' });
}
