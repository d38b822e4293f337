import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Script } from 'node:vm';
import { DIST, REPO, redProject } from './world.ts';

const FILE = "module.exports = { answer: 'from the file' };\n";
const wrapped = (source: string): string => `(function(exports,require,module,__filename,__dirname){${source}\n})`;
const BODY = '(function(){console.log("from the file")})';
const KINDS = ['sibling', 'body'] as const;

/** A hook of one line with its one sibling, or with its own body, and a pack that tells itself apart from the file. */
function folder(t: TestContext, kind: (typeof KINDS)[number]) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-loader-')));
  t.after(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, 'hooks'));
  const hook = join(top, 'hooks', 'hook.cjs');
  const part = join(top, 'part.cjs');
  const loader = readFileSync(join(REPO, 'src/sibling-loader.cjs'), 'utf8');
  const does = { sibling: "console.log(sibling('../part.cjs').answer);", body: `start('${BODY}');` };
  writeFileSync(hook, `${loader}\n${does[kind]}\n`);
  writeFileSync(part, FILE);
  const of = kind === 'body' ? hook : part;
  const packed = kind === 'body' ? `${hook}.body.pack` : `${part}.pack`;
  utimesSync(of, 7, 1_700_000_000.123);
  // As long as the file's own, which is all that the engine looks at.
  const compiled = (kind === 'body' ? BODY : wrapped(FILE)).replace('the file', 'the pack');
  const code = new Script(compiled, { filename: of }).createCachedData();
  const source = kind === 'body' ? '' : compiled;
  const stamp = (path: string): string => `${statSync(path).size}/${statSync(path).mtimeMs}`;
  const key = `${process.version} ${process.arch} ${stamp(process.execPath)} ${stamp(of)} `;
  const head = key.length + '10000000000 10000000000\n'.length;
  const eleven = (n: number): string => `1${String(n).padStart(10, '0')}`;
  const numbers = `${eleven(head + source.length + code.length)} ${eleven(head + source.length)}\n`;
  const pack = Buffer.concat([Buffer.from(`${key}${numbers}${source}`), code]);
  /** As the build leaves it: with the time of the file. */
  const place = (bytes: Buffer): void => {
    writeFileSync(packed, bytes);
    utimesSync(packed, 5, statSync(of).mtimeMs / 1000);
  };
  place(pack);
  const answer = (): string => {
    const ran = spawnSync(process.execPath, [hook], { encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    return ran.stdout.trim();
  };
  return { of, packed, pack, head, place, answer };
}

for (const kind of KINDS) {
  test(`${kind}: a pack serves the node that made it, for the file it was made from`, t => {
    const { of, pack, place, answer } = folder(t, kind);
    assert.equal(answer(), 'from the pack');
    place(Buffer.from(pack.toString('latin1').replace(/^v/, 'w'), 'latin1'));
    assert.equal(answer(), 'from the file', 'of another version');
    place(pack);
    assert.equal(answer(), 'from the pack');
    utimesSync(of, 1, 1);
    assert.equal(answer(), 'from the file', 'of a file that was touched since');
    place(pack);
    assert.equal(answer(), 'from the file', 'of a file that had another time');
  });

  test(`${kind}: a pack that anything wrote to is passed by, whatever was written`, t => {
    const { packed, pack, head, place, answer } = folder(t, kind);
    assert.equal(answer(), 'from the pack');
    const garbled = (at: number, bytes: number): Buffer => {
      const copy = Buffer.from(pack);
      for (let i = at; i < at + bytes; i++) copy[i] = copy[i]! ^ 0x5a;
      return copy;
    };
    const written: [string, Buffer][] = [
      ['the same bytes', pack],
      ['garbled behind the head', garbled(head + 10, 8)],
      ['garbled code', garbled(pack.length - 200, 64)],
      ['one bit', garbled(pack.length - 1, 1)],
    ];
    for (const [what, bytes] of written) {
      writeFileSync(packed, bytes);
      assert.equal(answer(), 'from the file', what);
    }
    // Cut, zeroed or grown, as a crash of the disk may leave it, with its time as it was.
    const left: [string, Buffer][] = [
      ['nothing in it', Buffer.alloc(0)],
      ['no head', pack.subarray(head)],
      ['half a head', pack.subarray(0, 20)],
      ['a byte short', pack.subarray(0, pack.length - 1)],
      ['cut behind the head', pack.subarray(0, head + 20)],
      ['cut in the code', pack.subarray(0, pack.length - 200)],
      ['garbled head', garbled(3, 4)],
      ['garbled numbers', garbled(head - 8, 4)],
      ['zeroes', Buffer.alloc(pack.length)],
      ['more behind it', Buffer.concat([pack, pack])],
    ];
    for (const [what, bytes] of left) {
      place(bytes);
      assert.equal(answer(), 'from the file', what);
    }
    rmSync(packed);
    mkdirSync(packed);
    assert.equal(answer(), 'from the file', 'a folder');
  });
}

test('built hooks judge alike with their packs, with damaged ones and with none', t => {
  using w = redProject();
  const dist = join(w.top, 'dist');
  cpSync(DIST, dist, { recursive: true });
  const packs = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.pack'));
  for (const name of ['parser.cjs.pack', 'shell.cjs.pack', 'hooks/pre-tool-use.cjs.body.pack'])
    assert.ok(packs.includes(name), name);
  const input = (command: string) =>
    JSON.stringify({
      session_id: 'S',
      cwd: w.root,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    });
  const judge = (from: string, command: string) => {
    const ran = spawnSync(process.execPath, [join(from, 'hooks/pre-tool-use.cjs')], {
      input: input(command),
      encoding: 'utf8',
    });
    return [ran.status, ran.stderr];
  };
  const commands = [
    'for f in a b; do echo "$f" > .claude/state/$f; done',
    '[[ -e a ]] && for f in a b; do echo "$f" > out/$f; done',
    'npm test && rm -rf .claude/hooks',
  ];
  const wanted = commands.map(command => judge(DIST, command));
  assert.deepEqual(
    wanted.map(([code]) => code),
    [2, 0, 2],
  );
  t.diagnostic(`${packs.length} packs`);
  // A copy has other times: its packs are of no use. What is made of them must not matter either.
  for (const spoil of [null, (path: string) => appendFileSync(path, 'x'), (path: string) => rmSync(path)]) {
    if (spoil) for (const name of packs) spoil(join(dist, name));
    assert.deepEqual(
      commands.map(command => judge(dist, command)),
      wanted,
    );
  }
  for (const name of ['shell.cjs', 'parser.cjs']) {
    const text = readFileSync(join(dist, name));
    for (const broken of [null, '', text.subarray(0, text.length / 2)]) {
      if (broken === null) rmSync(join(dist, name));
      else writeFileSync(join(dist, name), broken);
      const [code, err] = judge(dist, commands[1]!);
      assert.equal(code, 2, `${name} ${broken === null ? 'missing' : 'damaged'}`);
      assert.match(String(err), /^Touchstone internal-error: .*Run: touchstone doctor\n$/);
    }
    writeFileSync(join(dist, name), text);
  }
});
