import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { effects, type Reading, readCommand } from '../../src/shell/index.ts';

describe('readCommand', () => {
  let root = '';
  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-shell-')));
    const files: Record<string, string> = {
      'tests/a.test.ts': 'one\n',
      'tests/b.test.ts': 'two\n',
      'tests/sub/c.json': '{}\n',
      'src/x.js': 'x\n',
      'src/run.sh': 'cd tests && rm "$1"\n',
      'src/gen.py': 'import os\nopen(os.path.join("tests", "new.txt"), "w").write("x")\n',
      'fix.patch': '--- a/tests/a.test.ts\n+++ b/tests/a.test.ts\n@@ -1 +1 @@\n-one\n+two\n',
      'package.json': JSON.stringify({ scripts: { test: 'jest', wipe: 'rm -rf tests', pretest: 'touch dist/x' } }),
      Makefile: 'DIR = tests\nall: clean\n\techo done\nclean:\n\trm -rf $(DIR)\nsafe:\n\trm -rf dist\n',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    symlinkSync('loop', join(root, 'loop'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const read = (command: string): Reading =>
    readCommand(command, { cwd: root, root, home: '/home/me', env: { PATH: '/bin' } });
  /** `op path` of every effect, paths relative to the root where they lie in it. */
  const did = (command: string): string[] =>
    read(command).effects.map(({ op, target }) => {
      if (target.kind === 'unknown') return `${op} ?`;
      if (target.kind === 'git')
        return `git ${target.argv.join(' ')} [${target.paths.map(path => path.slice(root.length + 1)).join(' ')}]`;
      const at = target.kind === 'path' ? target.path : `~${target.pattern}`;
      return `${op} ${at.replace(`${root}/`, '')}`;
    });
  const same = (command: string, expected: string[]): void => {
    assert.deepEqual(did(command), expected, command);
  };

  it('reads redirections of every kind', () => {
    same('echo x > a', ['write a']);
    same('echo x >> a', ['write a']);
    same('echo x >| a 2> b', ['write a', 'write b']);
    same('echo x &> a', ['write a']);
    same('echo x >& a', ['write a']);
    same('exec 3<> a', ['write a']);
    same('exec {fd}> a; echo x >&$fd', ['write a']);
    same('ls 2>&1 > /dev/null', []);
    same('cat < a', []);
    same('echo x > >(cat > a)', ['write a']);
    same('{ echo x; } > a', ['write a']);
    assert.equal(read('echo x >> a').effects[0]?.append, true);
    assert.equal(read('echo "x $((1+1))" > a').effects[0]?.content?.(), 'x 2\n');
    const last = (command: string) => read(command).effects.at(-1)?.content?.();
    assert.equal(last('cat src/x.js > src/x.js'), '', 'emptied before it is read');
    assert.equal(last("printf 'y\\n' > a && cat a src/x.js > b && mv b src/x.js"), 'y\nx\n');
    assert.equal(last("echo 'exit 0' | cat - src/x.js > b && mv b src/x.js"), 'exit 0\nx\n');
    assert.equal(last('sed s/x/z/ src/x.js > b && mv b src/x.js && cat src/x.js src/x.js > c'), 'z\nz\n');
    assert.equal(last('cat src/x.js >> src/x.js'), 'x\n', 'what is added');
    assert.equal(read('ls > a').effects[0]?.via, '>');
    assert.deepEqual(read('ls; echo x > a').effects[0]?.span, [11, 14]);
  });

  it('follows a link that the command itself makes', () => {
    same('ln tests/a.test.ts src/l; echo x > src/l', ['link src/l', 'write tests/a.test.ts']);
    same('ln -s ../tests/a.test.ts src/l; chmod 0 src/l', ['link src/l', 'mode tests/a.test.ts']);
    same('ln -s tests/a.test.ts l; rm l', ['link l', 'delete l']);
  });

  it('takes two stars for folders only where the shell is told to', () => {
    same('shopt -s globstar; rm **/c.json', ['delete tests/sub/c.json']);
    same('rm **/c.json', ['delete **/c.json']);
    same('prettier --write tests/**/*.json', ['write tests/sub/c.json']);
    same('prettier --write src/**/*.json', ['write ~src/**/*.json']);
  });

  it('takes a heredoc for data unless it feeds a program', () => {
    same("cat > notes <<'EOF'\nrm -rf tests\nEOF", ['write notes']);
    same("bash <<'EOF'\nrm -rf tests\nEOF", ['delete tests']);
    same("cat <<'EOF' | sh\nrm -rf tests\nEOF", ['delete tests']);
    same('cat <<EOF\n$(rm a)\nEOF', ['delete a']);
    same("cat <<'EOF'\n$(rm a)\nEOF", []);
    same('cat <<-EOF > a\n\tx\n\tEOF', ['write a']);
    same('git commit -F - <<EOF; rm a\nrm b\nEOF', ['delete a']);
    same("python3 - <<'EOF'\nopen('a', 'w')\nEOF", ['write a']);
    same('bash <<< "rm a"', ['delete a']);
  });

  it('expands words as bash does', () => {
    same('rm te\\sts/a', ['delete tests/a']);
    same(`rm te''sts/"a"`, ['delete tests/a']);
    same("rm $'\\x74ests/a'", ['delete tests/a']);
    same('rm {a,b}/c', ['delete a/c', 'delete b/c']);
    same('rm x{1..3}', ['delete x1', 'delete x2', 'delete x3']);
    same('rm tests/*.ts', ['delete tests/a.test.ts', 'delete tests/b.test.ts']);
    same('rm "tests/*.ts"', ['delete tests/*.ts']);
    same('rm [t]ests/a*', ['delete tests/a.test.ts']);
    same('rm ~/a', ['delete /home/me/a']);
    same('rm "$PWD/a"', ['delete a']);
    same('rm -f -- -a', ['delete -a']);
    same('rm a/../b//c', ['delete b/c']);
  });

  it('follows variables', () => {
    same('F=a; rm $F', ['delete a']);
    same('F=a.bak; rm ${F%.bak}', ['delete a']);
    same('F=xa; rm "${F#x}"', ['delete a']);
    same('F=ABC; rm ${F,,}', ['delete abc']);
    same('F=aXc; rm ${F/X/b}', ['delete abc']);
    same('F=abcd; rm ${F:1:2}', ['delete bc']);
    same('P=F; F=a; rm ${!P}', ['delete a']);
    same('A=(a b); rm "${A[1]}"', ['delete b']);
    same('A=(a b); rm "${A[@]}"', ['delete a', 'delete b']);
    same('F="a b"; rm $F', ['delete a', 'delete b']);
    same('F="a b"; rm "$F"', ['delete a b']);
    same('rm ${N:-a}', ['delete a']);
    same('set -- a b; rm "$2"', ['delete b']);
    same('F=a; if [ x ]; then F=b; fi; rm $F', ['delete b', 'delete a']);
    same('X=rm; $X a', ['delete a']);
    same('rm${IFS}a', ['delete a']);
    same('F=$(echo a); rm $F', ['delete a']);
    same('rm "$(mystery)"', ['delete ?']);
    same('rm tests/$(mystery)', ['delete ~tests/**']);
    same('read -r F <<< a; rm $F', ['delete a']);
    same('for f in a b; do rm $f.x; done', ['delete a.x', 'delete b.x']);
    same('ls tests/*.ts | while read -r f; do rm "$f"; done', ['delete tests/a.test.ts', 'delete tests/b.test.ts']);
  });

  it('follows the folder', () => {
    same('cd tests && rm a', ['delete tests/a']);
    same('(cd tests); rm a', ['delete a']);
    same('pushd tests; popd; rm a', ['delete a']);
    same('cd src; cd ..; rm a', ['delete a']);
    same('cd nowhere && rm a', ['delete nowhere/a', 'delete a']);
    same('ln -s tests t; rm t/a', ['link t', 'delete tests/a']);
    same('env -C tests rm a', ['delete tests/a']);
    same('git -C tests rm -q a', ['delete tests/a']);
    assert.deepEqual(effects('rm a', '/srv')[0]?.target, { kind: 'path', path: '/srv/a' });
  });

  it('peels wrappers', () => {
    for (const wrapped of [
      'bash -c "rm a"',
      'sh -ec "rm a"',
      'bash -c \'rm "$1"\' _ a',
      'eval "rm a"',
      'sudo -u me rm a',
      'env -i X=1 rm a',
      'env -S "rm a"',
      'nohup rm a',
      'timeout -k 1 5 rm a',
      'nice -n 5 rm a',
      'stdbuf -oL rm a',
      'time -p rm a',
      ': | time -- rm a',
      'command rm a',
      'X=<(:) rm a',
      'setsid -w rm a',
      'flock /tmp/l rm a',
      'flock /tmp/l -c "rm a"',
      'busybox rm a',
      'echo a | xargs rm',
      'echo a | xargs -I% sh -c "rm %"',
      'find a -maxdepth 0 -exec rm {} \\;',
      'parallel rm ::: a',
      'watch -n 1 "rm a"',
      'f() { rm "$1"; }; f a',
      "alias z='rm a'\nz",
      'trap "rm a" EXIT',
      'echo "$(rm a)"',
      'echo `rm a`',
      'x[$(rm a)]=1',
      'echo $(( $(rm a) + 1 ))',
      'npx -y cross-env A=1 rm a',
      'coproc { rm a; }',
      'if rm a; then :; fi',
      '! rm a',
      'rm a & wait',
      'bash -c "bash -c \'rm a\'"',
      "printf '%s\\n' 'rm a' | bash",
      "echo 'rm a' > s; bash s",
      "git -c alias.z='!rm a' z",
      'git bisect run rm a',
      'perl -e \'system("rm a")\'',
      "node -e \"require('child_process').execSync('rm a')\"",
      'python3 -c \'import os; os.system("rm a")\'',
      'awk \'BEGIN { system("rm a") }\'',
      'source /dev/stdin <<< "rm a"',
    ])
      assert.ok(wrapped.includes('find a') || did(wrapped).includes('delete a'), `${wrapped}: ${did(wrapped).join()}`);
    same("find tests -name 'a*' -exec rm {} +", ['delete tests/a.test.ts']);
    same('find tests -type f -delete', ['delete tests/a.test.ts', 'delete tests/b.test.ts', 'delete tests/sub/c.json']);
    same("find tests -name '*.ts' -not -name 'a*' | xargs rm", ['delete tests/b.test.ts']);
  });

  it('knows which operands a command changes', () => {
    same('cp a b', ['write b']);
    same('cp a src', ['write src/a']);
    same('cp -t tests a b', ['write tests/a', 'write tests/b']);
    same('mv a b', ['rename a', 'write b']);
    same("rename 's/a/b/' x y", ['rename x', 'rename y']);
    same('install -m 644 a b', ['write b']);
    same('tee -a a b', ['write a', 'write b']);
    same("sed -i.bak 's/a/b/' f", ['write f']);
    same("sed 's/a/b/' f", []);
    same("sed -n 's/a/b/w out' f", ['write out']);
    same("perl -pi -e 's/a/b/' f", ['write f']);
    same("perl -ne 'print' f", []);
    same('gawk -i inplace 1 f', ['write f']);
    same("awk '$1 > 5 { print }' f", []);
    same('awk \'{ print > "out" }\' f', ['write out']);
    same('dd if=a of=b', ['write b']);
    same('chmod -x a', ['mode a']);
    same('sort -o a b', ['write a']);
    same('curl -so a http://x/', ['write a']);
    same('wget -P d http://x/f.txt', ['write d/f.txt']);
    same('tar xf missing.tar -C d', ['write d']);
    same('patch -p1 < fix.patch', ['write tests/a.test.ts', 'write tests/a.test.ts']);
    same('patch --dry-run -p1 < fix.patch', []);
    same('git apply fix.patch', ['write tests/a.test.ts', 'write tests/a.test.ts']);
    same('git apply --check fix.patch', []);
    same('rsync -a src/ d/', ['write d/gen.py', 'write d/run.sh', 'write d/x.js']);
    same('gofmt -l .', []);
    same('prettier --check tests', []);
    same('prettier --write tests', ['write tests/a.test.ts', 'write tests/b.test.ts', 'write tests/sub/c.json']);
    same('black --check tests', []);
    assert.equal(read('rm -rf tests').effects[0]?.deep, true);
    assert.equal(read('prettier --write tests').effects[0]?.maybe, true);
  });

  it('leaves to git what only git can tell', () => {
    same('git checkout main -- tests', ['git checkout main -- tests [tests]']);
    same('git switch main', ['git switch main []']);
    same('git stash', ['git stash []']);
    same('git stash list', []);
    same('git restore --staged .', []);
    same('git reset --soft HEAD', []);
    same('git reset --hard', ['git reset --hard []']);
    same('git clean -n', []);
    same('git checkout -b new', []);
    same('git status', []);
    same('git rm --cached a', ['delete a']);
    same('git mv a b', ['rename a', 'write b']);
    same('git config core.hooksPath /dev/null', ['write .git/hooks', 'write .git/config']);
    same('git config --get core.hooksPath', []);
  });

  it('tells deliveries and skipped hooks', () => {
    const [first] = read("git commit -m 'do not use --no-verify'").deliveries;
    assert.deepEqual([first?.verb, first?.noVerify, first?.dryRun], ['commit', false, false]);
    assert.equal(read('git commit -qnm x').deliveries[0]?.noVerify, true);
    assert.equal(read('git push -n').deliveries[0]?.dryRun, true);
    assert.equal(read('git push -n').hookSkips.length, 0);
    assert.equal(read('HUSKY=0 git commit -m x').hookSkips[0]?.how, 'HUSKY=0');
    assert.equal(read('git -c core.hooksPath=/dev/null commit -m x').hookSkips[0]?.verb, 'commit');
    assert.equal(read("bash -c 'git push --no-verify'").deliveries[0]?.noVerify, true);
  });

  it('reads programs in other languages', () => {
    same(`python3 -c "print(open('tests/a.test.ts').read())"`, []);
    same(`python3 -c "open('a', 'w').write('x')"`, ['write a']);
    same(`python3 -c "open('a', mode='a')"`, ['write a']);
    same(`python3 -c "from pathlib import Path; (Path('d') / 'a').write_text('')"`, ['write d/a']);
    same(`python3 -c "import os; [os.unlink(f) for f in ['a', 'b']]"`, ['delete a', 'delete b']);
    same(`python3 -c "x = 'a,b'.replace(',', '/'); print(x)"`, []);
    same(`node -e "const fs = require('fs'); fs.writeFileSync(['d', 'a'].join('/'), '')"`, ['write d/a']);
    same(`node -e "console.log(require('fs').readFileSync('a', 'utf8'))"`, []);
    same(`node -e "import('fs').then(f => f.rmSync('d', { recursive: true }))"`, ['delete d']);
    same(`ruby -e 'File.write("a", "x")'`, ['write a']);
    same(`php -r 'file_put_contents("a", "x");'`, ['write a']);
    same(`perl -e 'open(my $f, ">", "a")'`, ['write a']);
    same(`python3 -c "print('rm -rf tests > a')"`, []);
    same('python3 src/gen.py', ['write tests/new.txt']);
    same('bash src/run.sh a', ['delete tests/a']);
    assert.deepEqual(read('node src/x.js').scripts, [join(root, 'src/x.js')]);
  });

  it('reads package scripts and make targets', () => {
    same('npm run wipe', ['delete tests']);
    same('yarn wipe', ['delete tests']);
    same('npm test', ['create dist/x']);
    assert.ok(did('npm test -- -u').includes('write ~**/__snapshots__/**'));
    assert.ok(did('npx jest --updateSnapshot').includes('write ~**/*.snap'));
    same('npx jest tests', []);
    same('make', ['delete tests']);
    same('make safe', ['delete dist']);
    same('make -n clean', []);
  });

  it('takes a mention for no use', () => {
    for (const command of [
      "echo 'rm -rf tests'",
      'grep -rn "> tests/" .',
      "git log --format='%h > %s'",
      '[[ 3 > 2 ]]',
      '(( 3 > 2 ))',
      ": 'rm a'",
      'test 3 -gt 2',
      "git commit -m 'rm -rf tests'",
      "ssh host 'rm -rf tests'",
      'jq ".a > 1" x',
      'export F="rm a"',
      'diff <(ls) <(ls src)',
      '# rm a',
      'exit 0; rm a',
      'bash -c \'echo "rm a"\'',
      'which rm',
      'command -v rm',
      'man rm',
    ])
      same(command, []);
  });

  it('says whose exit status is hidden', () => {
    const mask = (command: string): (string | undefined)[] =>
      read(command)
        .invocations.filter(one => one.argv[0] === 'jest')
        .map(one => one.masked);
    assert.deepEqual(mask('jest'), [undefined]);
    assert.deepEqual(mask('jest | tail -5'), ['pipe']);
    assert.deepEqual(mask('set -o pipefail; jest | tail -5'), [undefined]);
    assert.deepEqual(mask('jest || true'), ['or']);
    assert.deepEqual(mask('jest || exit 1'), [undefined]);
    assert.deepEqual(mask('jest; echo done'), ['then']);
    assert.deepEqual(mask('set -e; jest; echo done'), [undefined]);
    assert.deepEqual(mask('jest && echo ok'), [undefined]);
    assert.deepEqual(mask('jest &'), ['background']);
    assert.deepEqual(mask('! jest'), ['negated']);
    assert.deepEqual(mask('if jest; then :; fi'), ['condition']);
    assert.deepEqual(mask('echo "$(jest)"'), ['substitution']);
    assert.deepEqual(mask("bash -c 'jest; exit 0'"), ['then']);
    assert.deepEqual(mask('timeout 300 jest'), [undefined]);
  });

  it('names what it cannot parse or follow, and stops there', () => {
    assert.equal(read('if rm a').opaque.length, 1);
    assert.deepEqual(read('echo "unclosed').opaque, ['echo "unclosed']);
    assert.ok(read(`rm a; ${'$('.repeat(4000)}`).opaque[0]?.startsWith('rm a'));
    assert.equal(read(`echo ${'w '.repeat(16_000)}`).opaque.length, 1);
    assert.equal(read(`echo ${'x'.repeat(1_000_000)}`).opaque.length, 1);
    assert.ok(read('f() { f; f; }; f').opaque.length > 0);
    assert.deepEqual(read('rm a').opaque, []);
  });
});
