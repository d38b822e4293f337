/** What everyday commands leave alone: files told to be left out, editors that only look, copies to other machines. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readCommand } from '../../src/shell/index.ts';

const SOURCES = ['src/a.test.ts', 'src/x.js', 'src/x.py', 'src/x.ts', 'tests/a.test.ts', 'tests/t.py'];

describe('everyday commands', () => {
  let root = '';
  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-everyday-')));
    const files: Record<string, string> = {
      'tests/a.test.ts': 'one\n',
      'tests/t.py': 'one\n',
      'src/a.test.ts': 'one\n',
      'src/x.ts': 'one\n',
      'src/x.js': 'one\n',
      'src/x.py': 'one\n',
      '.hidden/x.js': 'one\n',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  /** Names of what the command may write, sorted. */
  const written = (command: string): string[] =>
    readCommand(command, { cwd: root, root, home: '/home/me', env: { PATH: '/bin' } })
      .effects.map(({ target }) =>
        target.kind === 'path' ? target.path.replace(`${root}/`, '') : target.kind === 'glob' ? target.pattern : '?',
      )
      .sort();
  const same = (command: string, expected: string[]): void => assert.deepEqual(written(command), expected, command);

  it('leaves out what a formatter is told to leave out', () => {
    same("prettier --write src/*.ts '!src/*.test.ts'", ['src/a.test.ts', 'src/x.ts']);
    same("prettier --write 'src/**/*.ts' '!**/*.test.ts'", ['src/x.ts']);
    same("prettier --write . '!tests/**' '!**/*.test.ts' '!.hidden'", ['src/x.js', 'src/x.ts']);
    same("eslint --fix --ext .ts . --ignore-pattern 'tests/'", ['src/a.test.ts', 'src/x.ts']);
    same('eslint --fix .', ['.hidden/x.js', 'src/x.js']);
    same("black . --exclude 'tests|conftest'", ['src/x.py']);
    same('black . --extend-exclude /tests/', ['src/x.py']);
    same('isort . --skip tests', ['src/x.py']);
    same('black .', ['src/x.py', 'tests/t.py']);
  });

  it('reads the ignore file of a formatter', () => {
    same(
      "printf '# mine\\ntests/\\n.hidden\\n*.test.ts\\n!src/a.test.ts\\n' > .prettierignore; prettier --write '**/*.ts'",
      ['.prettierignore', 'src/a.test.ts', 'src/x.ts'],
    );
    same("printf 'tests\\n.hidden\\n' > skip; prettier --write --ignore-path skip '**/*.js'", ['skip', 'src/x.js']);
  });

  it('follows a search to the files it lists', () => {
    same("grep -rl one --include='*.ts' --exclude='*.test.*' . | xargs sed -i 's/one/two/'", ['src/x.ts']);
    same("grep -rl one --exclude-dir=tests --exclude-dir=.hidden --include='*.py' . | xargs sed -i s/one/two/", [
      'src/x.py',
    ]);
    same("rg -l one -g '*.ts' -g '!*.test.ts' | xargs sed -i s/one/two/", ['src/x.ts']);
    same('rg -l one -t js | xargs sed -i s/one/two/', ['src/x.js']);
    same('rg -l one --hidden -t js | xargs sed -i s/one/two/', ['.hidden/x.js', 'src/x.js']);
    same('rg -l one tests | xargs sed -i s/one/two/', ['tests/a.test.ts', 'tests/t.py']);
  });

  it('lets an editor look', () => {
    for (const command of [
      "ex -s -c '1,3p' -c 'q!' src/x.js",
      "vim -es -c '%p' -c 'qa!' src/x.js",
      'nvim --headless +1,2p +q src/x.js',
      "ed -s src/x.js <<< '1,$p'",
      "ed -s src/x.js <<'E'\n/one/\n=\nq\nE",
      "ed -s src/x.js <<< 'g/one/p'",
    ])
      same(command, []);
    for (const command of [
      "ex -s -c '%s/one/two/' -c 'x' src/x.js",
      "ex -s -c 'g/one/d' -c 'wq' src/x.js",
      "vim -es -c '%d|w' -c 'q' src/x.js",
      "vim -es -c '1p' src/x.js",
      "ed -s src/x.js <<< $'1d\\nw'",
      'nvim --headless -c w -c q src/x.js',
    ])
      same(command, ['src/x.js']);
  });

  it('copies what is not left out', () => {
    same("rsync -a src/ out/ --exclude '*.test.ts'", ['out/x.js', 'out/x.py', 'out/x.ts']);
    same("printf 'x.*\\n' > skip; rsync -a src/ out --exclude-from=skip", ['out/a.test.ts', 'skip']);
  });

  it('knows a folder that the command itself makes', () => {
    same('git -C /nowhere init -q r && cd /nowhere/r && echo 1 > tests', ['/nowhere/r/tests']);
    same('git archive other | tar -x -C out', ['out/.hidden/x.js', ...SOURCES.map(name => `out/${name}`)].sort());
  });

  it('leaves a mode or a folder alone that has nothing to lose', () => {
    same('chmod -R a+rX,u+w tests', []);
    same('chmod -R a-r tests', ['tests']);
    same('chmod u+x tests', ['tests']);
    mkdirSync(join(root, 'hollow/inner'), { recursive: true });
    same('find hollow -type d -empty -delete', []);
    same("find tests -name '*.py' -delete", ['tests/t.py']);
    rmSync(join(root, 'hollow'), { recursive: true });
  });

  it('sees where reports, traces and packages are put', () => {
    same('eslint src -f json -o tests/r.json', ['tests/r.json']);
    same('tsc -p . --generateTrace tests/trace', ['tests/trace']);
    same('pip install -q -t tests/site requests', ['tests/site']);
    same('rspec -c -o tests/r.txt', ['tests/r.txt']);
    same('tox exec -e py3 -- rm tests/t.py', ['tests/t.py']);
    same('nyc --report-dir tests/cov jest', ['tests/cov']);
    same('docker cp app:/a.test.ts tests/', ['tests/a.test.ts']);
    same('docker cp tests/a.test.ts app:/', []);
    same('pip install -r requirements.txt -e .', []);
  });

  it('tells another machine from this one', () => {
    same('scp tests/a.test.ts me@host:/tmp/', []);
    same('scp me@host:/tmp/a.test.ts tests/', ['tests/a.test.ts']);
  });

  it('does not follow what awk hands to a shell', () => {
    const { opaque } = readCommand(`awk '{print "rm " $0 | "sh"}' <<< tests/a.test.ts`, { cwd: root, root });
    assert.match(opaque.join(), /tests\/a\.test\.ts/);
  });
});
