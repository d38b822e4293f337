import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { matchGlob } from '../../src/config/glob.ts';
import { type Reading, readCommand } from '../../src/shell/index.ts';

const RUNS = Number(process.env.TOUCHSTONE_FUZZ_RUNS ?? 500);
const SEED = Number(process.env.TOUCHSTONE_FUZZ_SEED ?? 20_261_130);
const VICTIM = 'tests/a.test.ts';

const q = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const dq = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;

/** Ways to write the victim's name: what must run before, and the word. */
const WORDS: [string, string][] = [
  ['', VICTIM],
  ['', q(VICTIM)],
  ['', dq(VICTIM)],
  ['', 'te\\sts/a.test.ts'],
  ['', `te''sts/"a".test.ts`],
  ['', `$'\\x74ests/a.test.ts'`],
  ['', './tests/../tests//a.test.ts'],
  ['', '"$PWD"/tests/a.test.ts'],
  ['', 't?sts/a.test.ts'],
  ['', '[t]ests/a*.ts'],
  ['', 'tests/{a,a}.test.ts'],
  ['', '"$(echo tests)/a.test.ts"'],
  ['', '`printf %s tests/a.test.ts`'],
  ['', '${NOPE:-tests/a.test.ts}'],
  ['V=tests/a.test.ts; ', '"$V"'],
  ['V=tests; W=a; ', '$V/${W}.test.ts'],
  ['V=tests/a.test.ts.bak; ', '"${V%.bak}"'],
  ['V=xxtests/a.test.ts; ', '"${V#xx}"'],
  ['V=TESTS/A.TEST.TS; ', '"${V,,}"'],
  ['V=tasts/a.test.ts; ', '${V/a/e}'],
  ['V=(src tests/a.test.ts); ', '"${V[1]}"'],
  ['N=V; V=tests/a.test.ts; ', '"${!N}"'],
  ['read -r V <<< tests/a.test.ts; ', '$V'],
  ['set -- x tests/a.test.ts; ', '"$2"'],
  ['printf -v V %s/a.test.ts tests; ', '"$V"'],
  ['V=te; V+=sts; ', '$V/a.test.ts'],
  ['V=$(basename x/tests); ', '$V/a.test.ts'],
];

/** What is done to it. */
const PAYLOADS: ((word: string) => string)[] = [
  w => `echo x > ${w}`,
  w => `echo x >> ${w}`,
  w => `: >| ${w}`,
  w => `echo x &> ${w}`,
  w => `ls /nope 2> ${w}`,
  w => `> ${w} echo x`,
  w => `rm -f ${w}`,
  w => `rm ${w}`,
  w => `unlink ${w}`,
  w => `truncate -s0 ${w}`,
  w => `cp src/b.txt ${w}`,
  w => `mv -f src/b.txt ${w}`,
  w => `mv ${w} src/gone`,
  w => `install -m 644 src/b.txt ${w}`,
  w => `ln -sf ../src/b.txt ${w}`,
  w => `tee ${w} > /dev/null <<< x`,
  w => `printf x | tee -a ${w} > /dev/null`,
  w => `sed -i s/one/two/ ${w}`,
  w => `sed -n -e 's/b/c/' -i ${w}`,
  w => `dd if=/dev/null of=${w} 2> /dev/null`,
  w => `sort -o ${w} src/b.txt`,
  w => `chmod 600 ${w}`,
  w => `cat src/b.txt > ${w}`,
  w => `perl -pi -e s/one/two/ ${w}`,
  w => `find ${w} -delete`,
  w => `echo ${w} | xargs rm`,
  w => `xargs -I@ rm @ <<< ${w}`,
  w => `for f in ${w}; do rm "$f"; done`,
  w => `exec 7> ${w}`,
  () => 'rm -rf tests',
  () => 'mv tests moved',
  () => 'cd tests && echo x > a.test.ts; cd ..',
  () => '(cd tests; rm a.test.ts)',
  () => 'pushd tests > /dev/null; rm a.test.ts; popd > /dev/null',
  () => `awk 'BEGIN { print "x" > "tests/a.test.ts" }'`,
  () => `perl -e 'unlink "tests/a.test.ts"'`,
  () => `perl -e 'open(F, ">", "tests/a.test.ts"); print F 1'`,
  () => `find tests -name '*.ts' -exec rm {} +`,
  () => 'ls tests/*.ts | while read -r f; do rm "$f"; done',
  () => 'cp -r other/. .',
  () => 'cp -r other/tests .',
  () => 'tar -cf - -C other tests | tar -xf - -C .',
];

/** What it is wrapped in. */
const WRAPPERS: ((command: string) => string)[] = [
  c => `bash -c ${q(c)}`,
  c => `bash -ec ${dq(c)}`,
  c => `sh -c ${q(`bash -c ${q(c)}`)}`,
  c => `eval ${q(c)}`,
  c => `command eval ${q(c)}`,
  c => `( ${c}\n)`,
  c => `{ ${c}\n}`,
  c => `if true; then ${c}\nfi`,
  c => `if ! true; then :; else ${c}\nfi`,
  c => `for i in 1; do ${c}\ndone`,
  c => `while :; do ${c}\nbreak; done`,
  c => `until ${c}\ndo break; done`,
  c => `true && { ${c}\n}`,
  c => `false || { ${c}\n}`,
  c => `{ ${c}\n} | cat`,
  c => `echo | { ${c}\n}`,
  c => `f() { ${c}\n}; f`,
  c => `function g { ${c}\n}; echo y; g`,
  c => `case x in a) ;; x|y) ${c}\n;; esac`,
  c => `x=$(${c}\n)`,
  c => `echo "a $(${c}\n)" > /dev/null`,
  c => `declare z=$(${c}\n)`,
  c => `: "\${Z:=$(${c}\n)}"`,
  c => `trap ${q(c)} EXIT`,
  c => `time { ${c}\n}`,
  c => `! { ${c}\n}`,
  c => `bash <<'END'\n${c}\nEND`,
  c => `cat <<END > /dev/null\n$(${c}\n)\nEND`,
  c => `printf '%s\\n' ${q(c)} | bash`,
  c => `cat <<'END' | sh -c bash\n${c}\nEND`,
  c => `env A=1 bash -c ${q(c)}`,
  c => `A=1 nohup bash -c ${q(c)} > /dev/null 2>&1`,
  c => `timeout -k 1 5 nice bash -c ${q(c)}`,
  c => `xargs -I% bash -c ${q(c)} < <(echo x)`,
  c => `find . -maxdepth 0 -exec bash -c ${q(c)} \\;`,
  c => `printf '%s\\n' ${q(c)} > s.sh; bash ./s.sh`,
  c => `cat > s.sh <<'END'\n${c}\nEND\n. ./s.sh`,
  c => `source /dev/stdin <<< ${q(c)}`,
  c => `cd src; cd ..; ${c}`,
  c => `[[ -d src ]] && { ${c}\n}`,
  c => `((1)) && { ${c}\n}`,
  c => `{ ${c}\n} & wait`,
  c => `echo $(( $(${c}\necho 1) + 1 )) > /dev/null`,
  c => `coproc { ${c}\n}; wait`,
  c => `perl -e 'system($ARGV[0])' ${q(`bash -c ${q(c)}`)}`,
  c => `setsid -w bash -c ${q(c)}`,
  c => `X=<(:) bash -c ${q(c)}`,
  c => `: | time -p -- bash -c ${q(c)} 2> /dev/null`,
  c => `set -- ${q(c)}; eval "$1"`,
  c => `c=(bash -c ${q(c)}); "\${c[@]}"`,
];

const NOISE = [
  'echo hello',
  'ls src > /dev/null',
  'x=1',
  '# a note',
  'cat src/b.txt | head -1',
  'true',
  'git() { :; }',
];

const program = fc
  .record({
    word: fc.constantFrom(...WORDS),
    payload: fc.constantFrom(...PAYLOADS),
    wrappers: fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 3 }),
    before: fc.constantFrom('', ...NOISE),
    glue: fc.constantFrom('; ', '\n', ' && '),
  })
  .map(({ word, payload, wrappers, before, glue }) => {
    let text = word[0] + payload(word[1]);
    for (const wrap of wrappers) text = wrap(text);
    return before === ''
      ? text
      : before.startsWith('#') || before.includes('()')
        ? `${before}\n${text}`
        : before + glue + text;
  });

function names(reading: Reading, root: string): 'named' | 'vague' | 'hidden' {
  let vague = reading.opaque.length > 0;
  for (const { target, op, deep } of reading.effects) {
    if (target.kind === 'unknown') vague = true;
    if (target.kind === 'path') {
      if (target.path === join(root, VICTIM)) return 'named';
      const above = join(root, VICTIM).startsWith(`${target.path}/`);
      if (above && (deep || op === 'delete' || op === 'rename')) return 'named';
    }
    if (target.kind === 'glob' && matchGlob(target.pattern.slice(root.length + 1), VICTIM)) return 'named';
  }
  return vague ? 'vague' : 'hidden';
}

describe('readings against real bash', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-fuzz-')));
  after(() => rmSync(top, { recursive: true, force: true }));

  const lay = (root: string): void => {
    rmSync(root, { recursive: true, force: true });
    for (const dir of ['tests', 'src', 'other/tests']) mkdirSync(join(root, dir), { recursive: true });
    writeFileSync(join(root, VICTIM), 'one\n');
    writeFileSync(join(root, 'src/b.txt'), 'b\n');
    writeFileSync(join(root, 'other', VICTIM), 'other\n');
  };
  const look = (root: string): string => {
    const stat = lstatSync(join(root, VICTIM), { throwIfNoEntry: false });
    return stat ? `${stat.mode} ${stat.isFile() ? readFileSync(join(root, VICTIM), 'utf8') : 'link'}` : 'gone';
  };

  it('name every file that bash changes', t => {
    const root = join(top, 'w');
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: top, LC_ALL: 'C.UTF-8' };
    const tally = { named: 0, vague: 0, hidden: 0, quiet: 0 };
    const hidden: string[] = [];
    for (const command of fc.sample(program, { numRuns: RUNS, seed: SEED })) {
      lay(root);
      const before = look(root);
      const reading = readCommand(command, { cwd: root, root, home: top, env });
      spawnSync('bash', ['-c', command], { cwd: root, env, timeout: 5000, stdio: 'ignore' });
      if (look(root) === before) {
        tally.quiet++;
        continue;
      }
      const kind = names(reading, root);
      tally[kind]++;
      if (kind === 'hidden') hidden.push(command);
    }
    const changed = RUNS - tally.quiet;
    t.diagnostic(JSON.stringify(tally));
    assert.ok(changed > RUNS / 2, `only ${changed} of ${RUNS} programs changed the file`);
    assert.ok(hidden.length <= changed * 0.002, `${JSON.stringify(tally)}\n${hidden.slice(0, 20).join('\n---\n')}`);
    assert.ok(tally.vague <= changed * 0.02, `too many vague readings: ${JSON.stringify(tally)}`);
  });

  it('never throw, whatever the text', () => {
    const bits = fc.constantFrom(
      '$(',
      ')',
      '`',
      '"',
      "'",
      '{',
      '}',
      '${',
      'a',
      ' ',
      '\n',
      '<<E',
      'E',
      '|',
      '&',
      ';',
      '>',
      '<(',
      'if',
      'then',
      'fi',
      'for',
      'in',
      'do',
      'done',
      'case',
      'esac',
      '[[',
      ']]',
      '((',
      '))',
      '=',
      'rm',
      'x=',
      '$x',
      '*',
      '[',
      '!',
      '\\',
      '#',
      '~',
      '\uFDD0',
      '\uFDD4',
      '\u0000',
      'eval',
      'bash -c',
      'xargs',
      'find',
      'git',
      'sed -i',
      'python3 -c',
      'node -e',
      'awk',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), parts => {
        for (const glue of ['', ' ']) {
          const reading = readCommand(parts.join(glue), { cwd: '/nowhere', root: '/nowhere', env: {} });
          assert.ok(Array.isArray(reading.effects));
        }
      }),
      { numRuns: 1500, seed: 7 },
    );
  });
});
