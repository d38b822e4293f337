/**
 * Random histories against one rule: the exact tree that would leave has green evidence, or is proven now. The oracle does
 * each delivery in a copy and runs the suite in a clone of what left (test/delivery/oracle.ts).
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { runSuite } from '../../src/checks/suite.ts';
import { acceptRules } from '../../src/config/accept.ts';
import { readProject } from '../../src/config/project.ts';
import { deliver } from '../../src/delivery/deliver.ts';
import * as engine from '../../src/engine.ts';
import type { Event } from '../../src/event.ts';
import { judgeCall } from '../../src/judge-call.ts';
import * as oracle from '../../src/oracle.ts';
import * as rules from '../../src/rules.ts';
import * as reader from '../../src/shell/index.ts';
import { readPlain } from '../../src/shell/plain.ts';
import { stamp } from '../../src/verdict/stamp.ts';
import { ENV, Evidence, passesInClone, Shell, whatLeaves } from './oracle.ts';

const HISTORIES = Number(process.env.HISTORIES ?? 300);
const SEED = Number(process.env.SEED ?? 20_260_831);
const STEPS = 10;

// Unbundled, the shell reader still asks for its rarer parts by `require`.
(globalThis as { require?: NodeJS.Require }).require = createRequire(
  new URL('../../src/shell/index.ts', import.meta.url),
);
const loaders = {
  shell: () => reader,
  plain: (command: string, cwd: string) => readPlain(command, { cwd }),
  engine: () => engine,
  oracle: () => oracle,
  rules: () => rules,
};

let top: string;
let shell: Shell;
const saved = { ...process.env };

before(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-histories-')));
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name];
  Object.assign(process.env, ENV, { HOME: top });
  const root = join(top, 'template', 'project');
  mkdirSync(join(root, '.claude'), { recursive: true });
  mkdirSync(join(top, 'template', 'remote'));
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  // Red while any text file says so; what git ignores is none of its business.
  write(
    'suite.sh',
    'echo TAP version 13; echo 1..1\nif grep -rqs bad --include="*.txt" --exclude-dir=build --exclude-dir=.git .; then echo "not ok 1 - texts"; exit 1; fi\ntest -x run.txt && { echo "not ok 1 - mode"; exit 1; }\necho "ok 1 - texts"\n',
  );
  write('.gitignore', '.claude/state/\nbuild/\n*.log\n');
  write('a.txt', 'good\n');
  write('b.txt', 'good\n');
  write('run.txt', 'good\n');
  const rulesText = { test: { cmd: 'sh suite.sh', runner: 'tap' }, delivery: { commit: 'require' } };
  write('.claude/project.json', JSON.stringify(rulesText));
  shell = new Shell();
  // Housekeeping would start a process after every commit and push.
  const quiet = 'git config gc.auto 0; git config maintenance.auto false; git config receive.autogc false';
  await shell.run(`git init -q --bare -b main . && ${quiet}`, join(top, 'template', 'remote'));
  await shell.run(`git init -q -b main . && ${quiet}`, root);
  await shell.run('git add -A && git commit -qm start && git remote add origin ../remote', root);
  await acceptRules(root, 'test');
});

after(() => {
  shell.end();
  rmSync(top, { recursive: true, force: true });
  for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name];
  Object.assign(process.env, saved);
});

/** Mulberry32: the same histories for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const ASKED = [
  'git push origin HEAD',
  'git push -q',
  'git push origin main',
  'git push --all origin',
  'git push origin HEAD~1:refs/heads/older',
  'gh pr create --fill',
  'git commit -qm asked',
  'git commit -qam asked',
  'git commit -qm asked a.txt',
  'git commit -qm asked -i b.txt',
  'git commit -q --amend --no-edit',
  'git add -A && git commit -qm asked',
  'git commit -qam asked && git push -q origin HEAD',
  'git add a.txt; git commit -qm asked; git push -q origin HEAD:refs/heads/topic',
  'git rm -qf b.txt && git commit -qm asked && git push -q origin HEAD',
] as const;

async function change(root: string, pick: (below: number) => number): Promise<string> {
  const word = pick(4) === 0 ? 'bad' : 'good';
  const name = ['a.txt', 'b.txt', 'c.txt', 'd/e.txt'][pick(4)]!;
  const run = async (command: string): Promise<string> => {
    await shell.run(command, root);
    return command;
  };
  switch (pick(17)) {
    case 0:
    case 1:
    case 2:
      return run(`mkdir -p d; echo ${word} ${pick(3)} > ${name}`);
    case 3:
      return run(`git add ${name}`);
    case 4:
      return run('git add -A');
    case 5:
      return run(`git commit -qm c${pick(9)}`);
    case 6:
      return run(`git commit -qam c${pick(9)}`);
    case 7:
      return run('git commit -q --amend --no-edit --allow-empty');
    case 8:
      return run('git stash -q');
    case 9:
      return run('git stash pop -q || git checkout -q -f HEAD');
    case 10:
      return run(`git switch -q -c topic${pick(3)} || git switch -q topic${pick(3)}`);
    case 11:
      return run('git switch -q main');
    case 12:
      return run('git rebase -q main || git rebase --abort');
    case 13:
      return run(`mkdir -p build; echo bad > build/out.txt; echo bad > x.log; echo ${word} > gen.txt`);
    case 14:
      return run(`git rm -q --cached ${name}; rm -f gen.txt`);
    case 15:
      return run('chmod +x a.txt');
    default:
      return existsSync(join(root, name)) ? run(`mv ${name} moved.txt`) : run('rm -f moved.txt');
  }
}

type Tally = { allowed: number; refused: number; reproven: number; quiet: number };

async function history(seed: number, tally: Tally): Promise<void> {
  const home = join(top, `h${seed}`);
  await shell.run(`cp -a template '${home}'`, top);
  const root = join(home, 'project');
  const pick = random(seed);
  const seen = new Evidence(shell);
  const told: string[] = [];
  const fail = (what: string): never => assert.fail(`seed ${seed}: ${what}\n${told.join('\n')}`);
  for (let step = 0; step < STEPS; step++) {
    const turn = pick(12);
    if (turn < 5) told.push(await change(root, pick));
    else if (turn < 8) {
      const { project } = readProject(root);
      const suite = await runSuite(root, project, { slug: 'suite', by: 'verify' });
      await stamp(root, suite.finding, suite.moved);
      const passed = await seen.record(root);
      told.push(`verify: ${suite.finding.verdict}`);
      if ((suite.finding.verdict === 'PASS') !== passed) fail('verify and the suite disagree');
    } else if (turn === 8) {
      const looked = await shell.run('git log -1 --format="%H %T"; git status --porcelain', root);
      const [head = '', ...dirty] = looked.out.split('\n');
      const [commit = '', tree = ''] = head.split(' ');
      const clean = dirty.length === 0;
      const before = seen.green(tree);
      const report = await deliver(root, { dryRun: false });
      told.push(`deliver: ${report.ok} ${report.reasons.join('; ')}`);
      if (!before && clean) await seen.record(root);
      if (report.ok !== seen.green(tree)) fail(`deliver says ${report.ok}, evidence says ${seen.green(tree)}`);
      const passes = await passesInClone(shell, root, { commit, tree });
      if (report.ok && !passes) fail('deliver passes what fails in a clone');
      if (clean && passes && !report.ok) fail('deliver refuses what it could prove');
      if (report.ok && !before) tally.reproven++;
    } else {
      const command = ASKED[pick(ASKED.length)]!;
      const event: Event = {
        kind: 'pre-tool',
        agent: 'claude-code',
        session: 'S',
        cwd: root,
        call: { tool: 'Bash', writes: [], command, input: { command } },
      };
      const reply = judgeCall(event, loaders);
      const refused = reply.exit === 2;
      told.push(`${command} -> ${refused ? `refused: ${reply.stderr}` : 'allowed'}`);
      const { left, made } = await whatLeaves(shell, home, command);
      const all = [...left, ...(made && command.includes('commit') ? [made] : [])];
      if (all.length === 0) {
        // A commit that fails takes the push after it along, and a bare push may lack an upstream: what the words ask
        // for is judged, not whether git will manage it.
        if (refused && !command.includes('commit') && command !== 'git push -q')
          fail(`refused, and nothing would leave: ${command}`);
        tally.quiet++;
        continue;
      }
      const proven = all.every(({ tree }) => seen.green(tree));
      if (refused === proven) fail(`${refused ? 'refused' : 'allowed'}, and evidence says ${proven}`);
      if (refused) {
        tally.refused++;
        continue;
      }
      tally.allowed++;
      await shell.run(command.replace('gh pr create --fill', 'git push -q origin HEAD'), root);
      for (const one of left) {
        const here = await shell.run(`git cat-file -e ${one.commit}`, root);
        if (here.code === 0 && !(await passesInClone(shell, root, one))) fail(`${one.commit} left and is red`);
      }
    }
  }
  await shell.run(`rm -rf '${home}'`, top);
}

/** Half of the histories: two files of tests run side by side. */
export function histories(part: 0 | 1): void {
  const seeds = Array.from({ length: HISTORIES }, (_, i) => SEED + i).filter((_, i) => i % 2 === part);
  it(`${seeds.length} random histories`, { timeout: 1_500_000 }, async t => {
    const tally: Tally = { allowed: 0, refused: 0, reproven: 0, quiet: 0 };
    for (const seed of seeds) await history(seed, tally);
    t.diagnostic(JSON.stringify(tally));
    // Histories in which nothing ever leaves, or nothing is ever held, would show nothing.
    assert.ok(tally.allowed > seeds.length / 8, `${tally.allowed} allowed`);
    assert.ok(tally.refused > seeds.length / 8, `${tally.refused} refused`);
    assert.ok(tally.reproven > seeds.length / 20, `${tally.reproven} proven on delivery`);
  });
}
