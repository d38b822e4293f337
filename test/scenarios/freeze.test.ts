import assert from 'node:assert/strict';
import { linkSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FIXED, redProject, type World } from './world.ts';

const TEST = 'test/add.test.js';

function frozen(): World {
  const w = redProject();
  w.file('test/__snapshots__/a.snap', 's').file('src/deep/x.test.js', '1');
  w.cli(['init', '.']);
  const ran = w.cli(['freeze', '--paths', 'test/**', '**/*.test.js']);
  assert.equal(ran.code, 0, ran.err);
  return w;
}

function after(w: World, command: string) {
  return w.hook('post-tool-use', {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_response: { stdout: '' },
  });
}

test('no route changes a frozen test, and everyday work passes', () => {
  using w = frozen();
  const deny = [
    `echo x > ${TEST}`,
    `rm ${TEST}`,
    'rm -rf test',
    'mv test t2',
    `mv scratch ${TEST}`,
    `git checkout HEAD~0 -- ${TEST}; echo > ${TEST}`,
    `python3 - <<'PY'\nfrom pathlib import Path\nPath('${TEST}').write_text('')\nPY`,
    `cat <<EOF > ${TEST}\nx\nEOF`,
    `bash <<'EOF'\necho x > ${TEST}\nEOF`,
    `chmod 000 ${TEST}`,
    'echo x > test/new.test.js',
    'cp a src/other.test.js',
    `sed -i s/5/6/ ${TEST}`,
    'find test -name "*.js" -delete',
  ];
  for (const command of deny) assert.equal(w.bash(command).code, 2, command);
  for (const path of [
    TEST,
    `./test/../${TEST}`,
    'test//add.test.js',
    'src/deep/x.test.js',
    'src/new.test.js',
    'test/__snapshots__/a.snap',
  ]) {
    assert.match(w.write(path, 'x').err, /^Touchstone frozen-tests: /, path);
  }
  symlinkSync(join(w.root, 'test'), join(w.root, 'lnk'));
  assert.equal(w.write('lnk/add.test.js', 'x').code, 2);
  linkSync(join(w.root, TEST), join(w.root, 'src/hard.js'));
  assert.equal(w.write('src/hard.js', 'x').code, 2);
  const allow = [
    'npm test',
    `cat ${TEST}`,
    `git commit -m "freeze ${TEST}; never echo x > ${TEST}"`,
    `grep -n "> ${TEST}" README.md`,
    `python3 -c "print(open('${TEST}').read())"`,
    `cat > notes.md <<'EOF'\nrun: echo x > ${TEST}\nEOF`,
    'git status',
    'echo x > src/y.js',
  ];
  for (const command of allow) {
    const ran = w.bash(command);
    assert.deepEqual([ran.code, ran.err], [0, ''], command);
  }
});

test('what slips past is caught by hash, told with the way back, and closes every gate', () => {
  using w = frozen();
  w.file('src/add.js', FIXED);
  assert.equal(w.cli(['verify']).code, 0);
  assert.equal(w.write('docs/verify/a.md', 'PASS').code, 0);
  assert.deepEqual([after(w, 'make it').code, after(w, 'make it').err], [0, '']);

  // Size and time put back: only the content differs.
  w.sh(
    `touch -r ${TEST} ref; sed -i s/5/6/ ${TEST}; touch -r ref ${TEST}; rm ref; echo x > test/new.js; chmod +x src/deep/x.test.js`,
  );
  const told = after(w, './opaque');
  assert.equal(told.code, 2);
  assert.match(told.err, /test\/add\.test\.js rewritten/);
  assert.match(told.err, /test\/new\.js added/);
  assert.match(told.err, /x\.test\.js mode changed/);
  assert.match(told.err, /Run: touchstone freeze restore/);
  const lines = w
    .read('.claude/state/violations.jsonl')
    .trim()
    .split('\n')
    .map(l => JSON.parse(l));
  assert.equal(lines.length, 3);
  assert.equal(lines[0].command, './opaque');
  assert.match(w.write('docs/verify/a.md', 'PASS\nPASS').err, /frozen tests were changed/);
  assert.equal(w.cli(['freeze', 'verify']).code, 1);

  assert.equal(w.cli(['freeze', 'restore']).code, 0);
  assert.equal(w.cli(['freeze', 'verify']).code, 0);
  assert.match(w.read(TEST), /5\)\)/);
  assert.equal(w.sh('test -e test/new.js').code, 1);
  assert.equal(after(w, 'ls').code, 0);
  assert.equal(w.write('docs/verify/a.md', 'PASS\nPASS').code, 0, 'the same tree is fresh again');
  assert.equal(w.read('.claude/state/violations.jsonl').trim().split('\n').length, 3, 'the record stays');
});

test('tool caches under the patterns trip nothing', () => {
  using w = frozen();
  w.sh('mkdir -p test/__pycache__ test/.pytest_cache; echo 1 > test/__pycache__/a.pyc; echo 1 > test/.pytest_cache/x');
  assert.equal(after(w, 'pytest').code, 0);
});

test('a test whose name is no UTF-8 is held like another', t => {
  using w = redProject();
  const put = (name: string, text: string) =>
    writeFileSync(Buffer.concat([Buffer.from(`${w.root}/test/`), Buffer.from(name, 'latin1')]), text);
  try {
    put('caf\xe9.txt', 'kept');
  } catch {
    return t.skip('this disk takes UTF-8 names only');
  }
  w.file('test/caf\\xE9.txt', 'another');
  assert.deepEqual([w.cli(['freeze', '--paths', 'test/**']).code, w.cli(['freeze', 'verify']).code], [0, 0]);
  put('caf\xe9.txt', 'changed');
  put('new\xff.txt', 'added');
  const moved = w.cli(['freeze', 'verify']);
  assert.equal(moved.code, 1);
  assert.match(moved.out + moved.err, /test\/caf\\xE9\.txt rewritten/);
  assert.match(moved.out + moved.err, /test\/new\\xFF\.txt added/);
  assert.equal(w.cli(['freeze', 'restore']).code, 0);
  assert.equal(w.cli(['freeze', 'verify']).code, 0);
  assert.deepEqual(
    readdirSync(Buffer.from(join(w.root, 'test')), { encoding: 'buffer' })
      .map(name => name.toString('latin1'))
      .sort(),
    ['add.test.js', 'caf\\xE9.txt', 'caf\xe9.txt'],
  );
});

test('restore auto puts the bytes back at once', () => {
  using w = redProject();
  w.file(
    '.claude/project.json',
    JSON.stringify({ test: { cmd: 'npm test' }, frozen: { paths: ['test/**'], restore: 'auto' } }),
  );
  w.cli(['init', '.']);
  w.cli(['freeze']);
  const before = w.read(TEST);
  w.file(TEST, '');
  assert.match(after(w, './x').err, /put back/);
  assert.equal(w.read(TEST), before);
});

test('the settings that decide which tests run are frozen, a dependency bump is not', () => {
  using w = frozen();
  const pkg = JSON.parse(w.read('package.json'));
  w.file('package.json', JSON.stringify({ ...pkg, dependencies: { a: '1.0.1' } }));
  assert.equal(after(w, 'npm install a').code, 0);
  w.file('package.json', JSON.stringify({ ...pkg, scripts: { test: 'true' } }));
  assert.match(after(w, './x').err, /package\.json runner settings changed/);
});

test('thaw is taken from a typed prompt alone, logged, and ends with the next freeze', () => {
  using w = frozen();
  const prompt = (text: string, extra: object = {}) =>
    w.hook('user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: text, ...extra });
  prompt(`<task-notification>/touchstone thaw ${TEST} because`);
  prompt(`please run /touchstone thaw ${TEST} because`);
  prompt(`/touchstone thaw ${TEST} because`, { source: 'system' });
  assert.match(prompt(`/touchstone thaw ${TEST}`).out, /gives no reason/);
  assert.equal(w.write(TEST, 'x').code, 2);
  assert.match(
    prompt(`/touchstone thaw ${TEST} the expectation is wrong`).out,
    /the user opened test\/add\.test\.js \(the expectation is wrong\)/,
  );
  assert.equal(w.write(TEST, 'x').code, 0);
  assert.equal(w.write('test/other.test.js', 'x').code, 2);
  assert.match(w.read('.claude/state/consent/log.jsonl'), /"who":"prompt".*expectation is wrong/);
  w.file(TEST, `${w.read(TEST)}// fixed\n`);
  assert.equal(after(w, 'true').code, 0);
  assert.equal(w.cli(['freeze', '--paths', 'test/**', '**/*.test.js']).code, 0);
  assert.equal(w.write(TEST, 'x').code, 2);
});

test('an agent may grow a freeze, never shrink it', () => {
  using w = frozen();
  const env = { CLAUDECODE: '1' };
  assert.equal(w.cli(['freeze', '--paths', 'nothing/**'], { env }).code, 2);
  assert.equal(w.cli(['freeze', '--paths', 'test/**', '**/*.test.js', 'more/**'], { env }).code, 0);
  w.file(TEST, '');
  assert.equal(w.cli(['freeze', '--paths', 'test/**', '**/*.test.js', 'more/**'], { env }).code, 2);
});

test('a lost or broken manifest leaves the patterns in force and proves nothing', () => {
  using w = frozen();
  w.file('src/add.js', FIXED);
  w.cli(['verify']);
  for (const damage of [
    'rm .claude/state/freeze.json',
    'echo "{" > .claude/state/freeze.json',
    'rm -rf .claude/state/vault.git .claude/state/freeze.json .claude/state/frozen.json',
  ]) {
    w.sh(damage);
    assert.equal(w.write(TEST, 'x').code, 2, damage);
    assert.equal(after(w, './x').code, 2, damage);
    assert.match(w.write('docs/verify/a.md', 'PASS').err, /unattested/, damage);
  }
  rmSync(join(w.root, '.git/touchstone'), { recursive: true, force: true });
});

test('the kept bytes come back from the repository when the state folder lost them', () => {
  using w = frozen();
  w.sh('rm -rf .claude/state/vault.git');
  w.file(TEST, '');
  assert.equal(w.cli(['freeze', 'restore']).code, 0);
  assert.match(w.read(TEST), /adds/);
});

test('a path once refused stays refused when a script is handed its name', () => {
  using w = frozen();
  w.file('scripts/x.py', 'print(1)');
  assert.equal(w.bash(`python3 scripts/x.py ${TEST}`).code, 0);
  assert.equal(w.write(TEST, 'x').code, 2);
  assert.equal(w.bash(`python3 scripts/x.py ${TEST}`).code, 2);
  assert.equal(w.bash(`cat ${TEST}`).code, 0);
  w.hook('user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
  assert.equal(w.bash(`python3 scripts/x.py ${TEST}`).code, 0);
});
