import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CheckRecord, only, records, scripted, show, UNIT, withChecks } from './checks-world.ts';
import { FIXED, World } from './world.ts';

test('red evidence is accepted on an assertion, then green evidence on the fix', () => {
  using w = withChecks([UNIT]);
  const red = w.cli(['check', 'run', 'unit', '--phase', 'red']);
  assert.equal(red.code, 0, show(red));
  assert.match(red.out, /^satisfied {2}unit \(red\): 0 passed, 1 failed; exit 1; red-assertion, node-test/);
  const [first] = records(w);
  assert.equal(first!.passed, true);
  assert.deepEqual(first!.rules, []);
  assert.deepEqual(first!.changes, { '.': [] });
  assert.equal(first!.fingerprint, w.cli(['fingerprint']).out.trim());
  assert.deepEqual(first!.red, {
    outcome: 'specs-generated',
    command: 'node --test --test-reporter=spec',
    targetSpecs: ['adds'],
    executed: 1,
    passed: 0,
    failed: 1,
    skipped: 0,
    errors: 0,
    failingTests: ['adds'],
  });
  assert.match(w.read(`.claude/state/${first!.checks[0]!.log}`), /AssertionError/);

  w.file('src/add.js', FIXED);
  const green = w.cli(['check', 'run', 'unit']);
  assert.equal(green.code, 0, show(green));
  const second = records(w)[1]!;
  assert.deepEqual([second.passed, second.changes, second.red], [true, { '.': ['src/add.js'] }, undefined]);
  assert.equal(w.cli(['check', 'run', 'unit', '--phase', 'red']).code, 1);
  assert.deepEqual(readdirSync(join(w.root, '.claude/state/evidence/checks')).sort(), [
    'unit-0001.json',
    'unit-0001.log',
    'unit-0002.json',
    'unit-0002.log',
    'unit-0003.json',
    'unit-0003.log',
  ]);
});

test('a setup error is no red evidence', () => {
  using w = withChecks([UNIT]);
  w.file('test/add.test.js', "import './gone.js';\n");
  const ran = w.cli(['check', 'run', 'unit', '--phase', 'red']);
  assert.equal(ran.code, 1);
  const entry = only(w);
  assert.equal(entry.class, 'setup-error');
  assert.match(entry.problems.join('\n'), /setup\/compile failure is not assertion evidence/);
});

test('a skip needs an approved reason, an identity must be seen', () => {
  const skipping = "import test from 'node:test';\ntest('adds', () => {});\ntest('later', { skip: true }, () => {});\n";
  const approved = { ...UNIT, id: 'approved', approved_skip_reason: 'needs a device' };
  using w = withChecks([UNIT, approved, { ...UNIT, id: 'named', identities: ['subtracts'] }]);
  w.file('test/add.test.js', skipping);
  const refused = w.cli(['check', 'run', 'unit']);
  assert.equal(refused.code, 1);
  assert.match(refused.out, /skipped\/pending checks need an explicit plan justification/);
  assert.equal(w.cli(['check', 'run', 'approved']).code, 0);
  const absent = w.cli(['check', 'run', 'named']);
  assert.equal(absent.code, 1);
  assert.match(absent.out, /expected test identity is absent from output: subtracts/);
});

test('a check that changes repository files has its evidence rejected, with the paths', () => {
  using w = scripted(`
import { writeFileSync } from 'node:fs';
writeFileSync('src/add.js', '// rewritten');
writeFileSync('left.txt', 'behind');
writeFileSync('out/ignored', 'fine');
console.log('TAP version 13\\nok 1 - a\\n1..1');
`);
  w.file('out/.keep', '');
  const ran = w.cli(['check', 'run', 'own']);
  assert.equal(ran.code, 1);
  assert.match(
    only(w).problems.join('\n'),
    /^Verification commands changed repository files; fix their output\/cleanup configuration: left\.txt, src\/add\.js$/,
  );
  // The same files again are no change.
  assert.equal(w.cli(['check', 'run', 'own']).code, 0);
});

const JUNIT = (failed: boolean): string =>
  `<?xml version="1.0"?><testsuites><testsuite name="s" tests="2"><testcase classname="c" name="a"/><testcase classname="c" name="b">${failed ? '<failure message="expected 1 to equal 2" type="AssertionError">expected 1 to equal 2</failure>' : ''}</testcase></testsuite></testsuites>`;

test('a JUnit file of this run decides, an older one is ignored and said so', () => {
  const check = { id: 'own', command: ['node', 'own.mjs'], junit: 'out/junit.xml' };
  using w = withChecks([check]);
  w.file('own.mjs', "console.log('1..1\\nok 1 - a');\n").commitAll('own').file('out/junit.xml', JUNIT(false));
  const old = w.cli(['check', 'run', 'own']);
  assert.equal(old.code, 1);
  assert.match(old.out, /report file out\/junit\.xml is older than the run and was ignored/);

  const writing = `import { writeFileSync } from 'node:fs';\nwriteFileSync('out/junit.xml', ${JSON.stringify(JUNIT(false))});\nconsole.log('done');\n`;
  w.file('own.mjs', writing);
  const fresh = w.cli(['check', 'run', 'own', '--json']);
  assert.equal(fresh.code, 0, show(fresh));
  const [record] = JSON.parse(fresh.out) as CheckRecord[];
  assert.deepEqual([record!.checks[0]!.parser, record!.checks[0]!.counts.passed], ['junit', 2]);

  w.file('own.mjs', writing.replace(JSON.stringify(JUNIT(false)), JSON.stringify(JUNIT(true))));
  assert.equal(w.cli(['check', 'run', 'own']).code, 1, 'exit 0 does not hide what the report shows');
});

test('secrets reach a check by name only and no record by value', () => {
  const source = `
console.log('1..1\\nok 1 - a');
console.log('# given ' + process.env.DEPLOY_TOKEN + ' kept ' + process.env.OTHER_TOKEN + ' set ' + process.env.MODE);
`;
  using w = scripted(source, { env_refs: ['DEPLOY_TOKEN', 'NOT_SET'], env: { MODE: 'fast' } });
  const env = { DEPLOY_TOKEN: 'plain-value-17', OTHER_TOKEN: 'another-value-18' };
  assert.equal(w.cli(['check', 'run', 'own'], { env }).code, 0);
  const entry = only(w);
  const log = w.read(`.claude/state/${entry.log}`);
  assert.match(log, /# given \[redacted\] kept undefined set fast/);
  assert.doesNotMatch(JSON.stringify(entry) + log, /value-1[78]/);
  assert.match(entry.notes.join(), /NOT_SET/);
});

test('a program that cannot be started is a setup failure in both phases', () => {
  using w = withChecks([{ ...UNIT, command: ['no-such-program-here'] }]);
  assert.equal(w.cli(['check', 'run', 'unit', '--phase', 'red']).code, 1);
  const entry = only(w);
  assert.deepEqual([entry.reason, entry.class], ['unlaunchable', 'setup-error']);
  assert.match(entry.problems[0]!, /could not be started/);
});

test('usage: unknown check, phase a check lacks, refused rules', () => {
  using w = withChecks([{ ...UNIT, phases: ['green'] }]);
  const unknown = w.cli(['check', 'run', 'nothing']);
  assert.deepEqual([unknown.code, unknown.out], [2, '']);
  assert.match(unknown.err, /no such check in \.claude\/project\.json \(there: unit\)/);
  assert.match(w.cli(['check', 'run', 'unit', '--phase', 'red']).err, /has no red phase/);
  assert.match(w.cli(['check', 'list']).out, /^unit {2}green {2}node --test/);
  w.file('.claude/project.json', JSON.stringify({ checks: [{ id: 'unit', command: 'npm test' }] }));
  const refused = w.cli(['check', 'list']);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /at checks\.0\.command: looks like a shell command string: "npm test"; give program/);
  assert.equal(existsSync(join(w.root, '.claude/state/evidence')), false);
});

test('exit 1 when one of several is not satisfied, each with its own record', () => {
  using w = withChecks([
    UNIT,
    { id: 'fine', command: ['node', '-e', "console.log('1..1\\nok 1 - x')"], runner: 'tap' },
  ]);
  const ran = w.cli(['check', 'run', 'fine', 'unit']);
  assert.equal(ran.code, 1);
  assert.deepEqual(
    records(w).map(r => r.passed),
    [true, false],
  );
});

test('accepted red evidence freezes the tests it proved, and blesses no later change of them', () => {
  using w = withChecks([UNIT], { frozen: { paths: ['test/**'] } });
  const red = w.cli(['check', 'run', 'unit', '--phase', 'red']);
  assert.equal(red.code, 0, show(red));
  assert.match(red.err, /frozen by this red evidence: 1 files under test\/\*\*/);
  const manifest = JSON.parse(w.read('.claude/state/freeze.json'));
  assert.deepEqual(
    [Object.keys(manifest.files), manifest.record],
    [['test/add.test.js'], 'evidence/checks/unit-0001.json'],
  );
  w.file('test/add.test.js', w.read('test/add.test.js').replace('5', '6'));
  const again = w.cli(['check', 'run', 'unit', '--phase', 'red']);
  assert.match(again.err, /does not freeze them again/);
  assert.deepEqual(JSON.parse(w.read('.claude/state/freeze.json')), manifest);
});

test('outside of git the files are compared by themselves', () => {
  using w = new World();
  w.file(
    '.claude/project.json',
    JSON.stringify({ checks: [{ id: 'own', command: ['node', 'own.mjs'], runner: 'tap' }] }),
  );
  w.file(
    'own.mjs',
    "import { writeFileSync } from 'node:fs';\nwriteFileSync('left.txt', '');\nconsole.log('1..1\\nok 1 - a');\n",
  );
  assert.equal(w.cli(['check', 'run', 'own']).code, 1);
  assert.match(records(w)[0]!.checks[0]!.problems.join(), /changed repository files; .*: left\.txt$/);
  assert.equal(w.cli(['check', 'run', 'own']).code, 0);
});
