/** `touchstone ci` on a clean clone: the developer's verdict, by rules the branch cannot bend. */
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { deliverable } from './delivery-world.ts';
import { type Ran, World } from './world.ts';

const RULES = {
  frozen: { paths: ['test/**', 'linked/**', 'vendor/tests/**'] },
  checks: [{ id: 'shape', command: ['sh', 'test/shape.sh'], runner: 'tap' }],
};
const SHAPE =
  'echo TAP version 13; echo 1..1; test -s f && echo "ok 1 - f has a shape" || { echo "not ok 1 - f has a shape"; exit 1; }\n';

/** A project on the remote's main: built once for a set of rules, copied for each branch. */
const templates = new Map<string, World>();
after(() => {
  for (const w of templates.values()) w.remove();
});

function template(rules: object): World {
  const key = JSON.stringify(rules);
  const known = templates.get(key);
  if (known) return known;
  const w = deliverable({ ...RULES, ...rules });
  w.file('test/shape.sh', SHAPE).file('.claude/plan.json', '{"schema_version":1,"task":"t"}\n');
  w.file('package.json', '{"scripts":{"test":"sh suite.sh"},"version":"1"}\n');
  w.file('.github/workflows/proof.yml', 'run: touchstone ci\n');
  w.file('real/t.sh', SHAPE).file('lib/x.js', 'x\n');
  symlinkSync('real', join(w.root, 'linked'));
  // A submodule as a clone has it that never fetched it.
  w.sh(`mkdir -p vendor/tests; git update-index --add --cacheinfo 160000,${'1'.repeat(40)},vendor/tests`);
  w.cli(['config', 'accept']);
  w.sh('git add -A; git commit -qm rules; git push -q origin main; git switch -qc task');
  templates.set(key, w);
  return w;
}

/** A branch on which `change` was committed, and its clean clone. */
function branched(change: (w: World) => void, rules: object = {}): World {
  const w = new World();
  w.sh(`cp -a ${template(rules).top}/. ${w.top}`, w.top);
  w.git('remote', 'set-url', 'origin', join(w.top, 'remote'));
  change(w);
  w.sh('git add -A; git commit -q --allow-empty -m task; git push -q origin task');
  w.sh(`git clone -q --branch task ${join(w.top, 'remote')} ${join(w.top, 'clone')}`, w.top);
  return w;
}

function ci(w: World, args: string[] = [], env: Record<string, string> = {}): Ran {
  return w.cli(['ci', ...args], { cwd: join(w.top, 'clone'), env });
}

describe('ci', () => {
  it('agrees with the machine of the developer, and needs no state of it', () => {
    using w = branched(it => it.file('f', 'good work\n').file('test/more.sh', 'true\n'));
    assert.equal(w.cli(['deliver']).code, 0);
    const ran = ci(w);
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.match(ran.out, /by the rules of origin\/main/);
    assert.match(ran.out, /PASS {2}suite: passed\nPASS {2}shape: passed/);
    assert.match(ran.out, /note {2}frozen test\/more\.sh: frozen test added/);
    assert.equal(w.sh('git status --porcelain', join(w.top, 'clone')).out, '');
  });

  it('prints no secret that a file is named for', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    using w = branched(it => it.file('f', 'good work\n').file(`test/${token}.sh`, 'true\n'));
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(w.top, 'summary.md') };
    for (const ran of [ci(w, [], env), ci(w, ['--json'])]) {
      assert.match(ran.out, /frozen test added/);
      assert.doesNotMatch(ran.out + ran.err, /a1B2a1B2/);
    }
    assert.doesNotMatch(readFileSync(join(w.top, 'summary.md'), 'utf8'), /a1B2a1B2/);
  });

  it('fails where the work fails', () => {
    using w = branched(it => it.file('f', 'bad\n'));
    assert.equal(w.cli(['deliver']).code, 1);
    const ran = ci(w, ['--json']);
    assert.equal(ran.code, 1);
    const report = JSON.parse(ran.out) as {
      ok: boolean;
      runs: { what: string; passed: boolean }[];
      findings: unknown[];
    };
    assert.deepEqual(
      report.runs.map(run => [run.what, run.passed]),
      [
        ['suite', false],
        ['shape', true],
      ],
    );
    assert.deepEqual(report.findings, []);
  });

  const weaker: [string, (w: World) => void, RegExp][] = [
    [
      'a frozen test emptied',
      w => w.file('test/shape.sh', 'echo 1..1; echo ok 1\n'),
      /FAIL {2}frozen test\/shape\.sh: frozen test changed/,
    ],
    [
      'a frozen test deleted',
      w => w.git('rm', '-q', 'test/shape.sh'),
      /FAIL {2}frozen test\/shape\.sh: frozen test deleted/,
    ],
    ['a frozen test of another mode', w => w.sh('chmod +x test/shape.sh'), /FAIL {2}frozen test\/shape\.sh/],
    [
      'the folder of frozen tests made a link',
      w => w.sh('git mv test elsewhere; ln -s elsewhere test'),
      /FAIL {2}frozen test\/shape\.sh: frozen test deleted/,
    ],
    [
      'a frozen test behind a link emptied',
      w => w.file('real/t.sh', 'true\n'),
      /FAIL {2}frozen real\/t\.sh: frozen test changed \(linked\/\*\*\)/,
    ],
    [
      'the link to frozen tests led elsewhere',
      w => w.sh('ln -sfn lib linked'),
      /FAIL {2}frozen linked: frozen test changed/,
    ],
    [
      'the submodule of frozen tests moved',
      w => w.git('update-index', '--cacheinfo', `160000,${'2'.repeat(40)},vendor/tests`),
      /FAIL {2}frozen vendor\/tests: frozen test changed/,
    ],
    [
      'the script of the suite rewritten',
      w => w.file('suite.sh', 'echo TAP version 13; echo 1..1; echo ok 1 - f is good\n'),
      /FAIL {2}check suite\.sh: a script that the suite runs was changed/,
    ],
    [
      'a runner configured in package.json',
      w => w.file('package.json', '{"scripts":{"test":"sh suite.sh"},"jest":{"testMatch":[]},"version":"1"}\n'),
      /FAIL {2}setting package\.json/,
    ],
    [
      'options for every node, in a new .npmrc',
      w => w.file('.npmrc', 'node-options=--require ./lib/x.js\n'),
      /FAIL {2}setting \.npmrc: which tests run, or how, was changed/,
    ],
    [
      'a runner configured in a folder that was there',
      w => w.file('lib/jest.config.js', 'module.exports = { testMatch: [] };\n'),
      /FAIL {2}setting lib\/jest\.config\.js/,
    ],
    [
      'the suite replaced',
      w => w.file('.claude/project.json', '{"test":{"cmd":"true"}}'),
      /FAIL {2}rules \.claude\/project\.json: "test" was changed/,
    ],
    [
      'a check changed',
      w => w.file('.claude/project.json', w.read('.claude/project.json').replace('"test/shape.sh"', '"other.sh"')),
      /FAIL {2}check \.claude\/project\.json: check "shape" was changed/,
    ],
    [
      'the rules deleted',
      w => w.git('rm', '-q', '.claude/project.json'),
      /FAIL {2}rules \.claude\/project\.json: the rules are gone/,
    ],
    [
      'the plan rewritten',
      w => w.file('.claude/plan.json', '{"schema_version":1,"task":"u"}'),
      /FAIL {2}plan \.claude\/plan\.json: the plan was changed/,
    ],
    [
      'the test script changed',
      w => w.file('package.json', '{"scripts":{"test":"true"},"version":"1"}\n'),
      /FAIL {2}setting package\.json/,
    ],
    [
      'the job itself changed',
      w => w.file('.github/workflows/proof.yml', 'run: true\n'),
      /FAIL {2}workflow \.github\/workflows\/proof\.yml/,
    ],
  ];
  for (const [name, change, said] of weaker) {
    it(`lists and fails: ${name}`, () => {
      using w = branched(change);
      const ran = ci(w);
      assert.equal(ran.code, 1, ran.out);
      assert.match(ran.out, said);
      assert.match(ran.out, /PASS {2}suite: passed/, 'the suite of the base is what runs');
    });
  }

  it('lets through what the base allows, and what decides nothing', () => {
    using w = branched(
      it =>
        it
          .file('test/shape.sh', `${SHAPE}# more\n`)
          .file('package.json', '{"scripts":{"test":"sh suite.sh"},"version":"2"}\n')
          .file('packages/new/package.json', '{"scripts":{"test":"jest"}}\n')
          .file('lib/x.test.js', 'x\n'),
      { ci: { allow: ['test/**'] } },
    );
    const ran = ci(w);
    assert.equal(ran.code, 0, ran.out);
    assert.match(ran.out, /allowed {2}frozen test\/shape\.sh/);
    assert.match(ran.out, /note {2}setting packages\/new\/package\.json/);
    assert.doesNotMatch(ran.out, /setting package\.json|x\.test\.js/);
  });

  it('runs what the base gained since, and holds none of it against the branch', () => {
    using w = branched(it => it.file('f', 'good work\n'));
    const rules = JSON.parse(w.read('.claude/project.json'));
    rules.checks.push({ id: 'newer', command: ['echo', '1..0'], runner: 'tap' });
    w.git('switch', '-q', 'main');
    w.file('.claude/project.json', JSON.stringify(rules)).file(
      '.claude/plan.json',
      '{"schema_version":1,"task":"later"}',
    );
    w.file('test/shape.sh', `${SHAPE}# later\n`).git('commit', '-qam', 'later');
    w.git('push', '-q', 'origin', 'main');
    w.sh('git fetch -q', join(w.top, 'clone'));
    const ran = ci(w);
    assert.match(ran.out, /PASS {2}shape: passed\nFAIL {2}newer: /);
    assert.doesNotMatch(ran.out, /(?:frozen|check|plan|rules) [.\w]+\//);
  });

  it('names a checkout in the middle of a merge, and judges a detached one', () => {
    using w = branched(it => it.file('f', 'good work\n'));
    const clone = join(w.top, 'clone');
    w.sh('git checkout -q --detach', clone);
    assert.equal(ci(w).code, 0);
    w.sh(
      'git switch -q -c other origin/main && echo "good other" > f && git commit -qam o && git merge -q task',
      clone,
    );
    const ran = ci(w);
    assert.equal(ran.code, 1);
    assert.match(ran.out, /is in the middle of a merge: .*--abort/);
    assert.match(ran.out, /has conflicting files: f/);
  });

  it('writes annotations and a job summary where a job asks for them', () => {
    using w = branched(it => it.file('test/shape.sh', 'echo 1..1; echo ok 1\n'));
    const file = join(w.top, 'summary.md');
    const ran = ci(w, [], { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file, GITHUB_BASE_REF: 'main' });
    assert.match(ran.out, /^::error file=test\/shape\.sh::frozen: frozen test changed \(test\/\*\*\)$/m);
    assert.match(readFileSync(file, 'utf8'), /^## Touchstone: FAIL\n[\s\S]*\| FAIL \| frozen test\/shape\.sh \|/);
  });

  it('reaches no verdict without a base, its rules or its history', () => {
    using w = branched(() => {});
    assert.match(ci(w, ['--base', 'nowhere']).out, /git knows no revision nowhere: fetch it/);
    w.sh(
      `git clone -q --depth 1 --no-single-branch --branch task file://${join(w.top, 'remote')} ${join(w.top, 'flat')}`,
      w.top,
    );
    const flat = w.cli(['ci', '--base', 'origin/main'], { cwd: join(w.top, 'flat') });
    assert.equal(flat.code, 1);
    assert.match(flat.out, /share no history here: fetch the whole of it/);
    const first = w.sh('git rev-list --max-parents=0 HEAD').out.trim();
    w.sh(
      `git switch -q --orphan bare && git commit -q --allow-empty -m none && git merge -q --allow-unrelated-histories --no-edit ${first}`,
      join(w.top, 'clone'),
    );
    assert.match(ci(w, ['--base', 'HEAD^1']).out, /the base has no \.claude\/project\.json/);
  });
});
