import { below } from './glob.ts';
import { type Call, type Machine, path, type Text, touch, unknown } from './machine.ts';
import { isKnown } from './marks.ts';
import { parseArgs } from './operands.ts';

const LIMIT = 2 * 1024 * 1024;

/** Names inside a tar file, gzipped or not; null when it cannot be read. */
export function tarNames(bytes: Uint8Array): string[] | null {
  try {
    let data = Buffer.from(bytes);
    if (data[0] === 0x1f && data[1] === 0x8b)
      data = process.getBuiltinModule('node:zlib').gunzipSync(data, { maxOutputLength: 16 * LIMIT });
    const names: string[] = [];
    const text = (from: number, size: number): string =>
      data.toString('utf8', from, from + size).replace(/\0[\s\S]*$/, '');
    let long = '';
    for (let at = 0; at + 512 <= data.length && data[at] !== 0; ) {
      const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8);
      if (Number.isNaN(size)) return null;
      const type = String.fromCharCode(data[at + 156]!);
      if (type === 'L') long = text(at + 512, size);
      else if (type === 'x')
        long = /\d+ path=([^\n]*)\n/.exec(data.toString('utf8', at + 512, at + 512 + size))?.[1] ?? '';
      else if (type !== 'g') {
        const prefix = data.toString('latin1', at + 257, at + 262) === 'ustar' ? text(at + 345, 155) : '';
        names.push(long || (prefix ? `${prefix}/${text(at, 100)}` : text(at, 100)));
        long = '';
      }
      at += 512 + Math.ceil(size / 512) * 512;
    }
    return names;
  } catch {
    return null;
  }
}

/** Names in a zip file's central directory. */
export function zipNames(bytes: Uint8Array): string[] | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = data.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > data.length) return null;
  const names: string[] = [];
  let at = data.readUInt32LE(end + 16);
  for (let i = data.readUInt16LE(end + 10); i > 0 && at + 46 <= data.length; i--) {
    const size = data.readUInt16LE(at + 28);
    names.push(data.toString('utf8', at + 46, at + 46 + size));
    at += 46 + size + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return names;
}

function extract(
  m: Machine,
  call: Call,
  names: string[] | null,
  dir: string,
  via: string,
  wanted: string[],
  strip = 0,
): void {
  const { scope } = call;
  if (names === null) {
    // Contents unknown: only a folder named on purpose speaks.
    if (wanted.length > 0) for (const name of wanted) touch(m, scope, 'write', `${dir}/${name}`, via, { deep: true });
    else if (dir !== '.' && dir !== './') touch(m, scope, 'write', dir, via, { deep: true });
    else m.effects.push({ op: 'write', target: { kind: 'unknown' }, via });
    return;
  }
  for (const name of names) {
    if (name.endsWith('/')) continue;
    if (
      wanted.length > 0 &&
      !wanted.some(one => name === one || name.startsWith(`${one.replace(/\/$/, '')}/`) || /[*?[]/.test(one))
    )
      continue;
    const rest = name.split('/').slice(strip).join('/');
    if (rest) touch(m, scope, 'write', name.startsWith('/') ? rest.replace(/^\/+/, `${dir}/`) : `${dir}/${rest}`, via);
  }
}

const bytesOf = (m: Machine, call: Call, file: string): Uint8Array | null => {
  const at = path(m, call.scope, file);
  return isKnown(at) ? m.tree.readBytes(at, LIMIT) : null;
};

/** tar, unzip and relatives; undefined when the command was none of them. */
export function archive(m: Machine, name: string, args: string[], call: Call): Text | undefined {
  const { scope } = call;
  if (name === 'tar' || name === 'gtar' || name === 'bsdtar') {
    const list = args[0] !== undefined && /^[a-zA-Z]+$/.test(args[0]) ? oldStyle(args) : args;
    const { flags, operands } = parseArgs(list, {
      val: 'f C b X T I file directory exclude exclude-from files-from strip-components transform xform use-compress-program owner group mode one-top-level',
    });
    const has = (names: string): boolean => names.split(' ').some(flag => flags.has(flag));
    const file = (flags.get('f') ?? flags.get('file'))?.at(-1);
    const dir = (flags.get('C') ?? flags.get('directory'))?.join('/') ?? '.';
    if (has('x extract get')) {
      if (has('O to-stdout')) return unknown;
      const piped = file === undefined || file === '-';
      const from = piped ? call.stdin() : '';
      const names = piped
        ? from.startsWith(ARCHIVE)
          ? from.slice(ARCHIVE.length).split('\n').filter(Boolean)
          : null
        : namesOf(bytesOf(m, call, file));
      extract(m, call, names, dir, 'tar', operands, Number(flags.get('strip-components')?.[0] ?? 0));
    } else if (has('c create r append u update A delete')) {
      if (file && file !== '-') touch(m, scope, 'write', file, 'tar');
      else return () => ARCHIVE + operands.flatMap(operand => members(m, call, dir, operand)).join('\n');
      if (has('remove-files'))
        for (const operand of operands)
          touch(m, scope, 'delete', `${dir}/${operand}`, 'tar --remove-files', { deep: true });
    }
    return unknown;
  }
  if (name === 'unzip') {
    const { flags, operands } = parseArgs(args, { val: 'd P x' });
    if (['l', 'p', 't', 'v', 'z', 'Z'].some(flag => flags.has(flag))) return unknown;
    const dir = flags.get('d')?.[0] ?? '.';
    const [file, ...wanted] = operands;
    const bytes = file === undefined ? null : (bytesOf(m, call, file) ?? bytesOf(m, call, `${file}.zip`));
    extract(m, call, bytes && zipNames(bytes), dir, 'unzip', wanted);
    return unknown;
  }
  if (name === '7z' || name === '7za' || name === '7zz') {
    if (args[0] === 'a' || args[0] === 'u')
      touch(m, scope, 'write', args.slice(1).find(arg => !arg.startsWith('-')) ?? '', name);
    if (args[0] === 'x' || args[0] === 'e')
      touch(m, scope, 'write', args.find(arg => /^-o./.test(arg))?.slice(2) ?? '.', name, { deep: true });
    return unknown;
  }
  if (name === 'unrar') {
    if (args[0] === 'x' || args[0] === 'e')
      touch(
        m,
        scope,
        'write',
        args
          .slice(2)
          .filter(arg => !arg.startsWith('-'))
          .at(-1) ?? '.',
        name,
        { deep: true },
      );
    return unknown;
  }
  return undefined;
}

/** What a folder or file contributes to an archive. */
function members(m: Machine, call: Call, dir: string, operand: string): string[] {
  const at = path(m, call.scope, dir === '.' ? operand : `${dir}/${operand}`);
  const inside = isKnown(at) && m.tree.isDirectory(at) ? (below(m.tree, at, 1000) ?? []) : [];
  const name = operand.replace(/\/+$/, '');
  return inside.length > 0 ? inside.map(file => name + file.slice(at.length)) : [name];
}

const namesOf = (bytes: Uint8Array | null): string[] | null => bytes && tarNames(bytes);

/** `tar xzf FILE`: letters without a dash; those that take a value take the next words in turn. */
function oldStyle(args: string[]): string[] {
  const [letters, ...rest] = args as [string, ...string[]];
  const out: string[] = [];
  for (const letter of letters) out.push(`-${letter}`, ...('fCbXT'.includes(letter) ? rest.splice(0, 1) : []));
  return [...out, ...rest];
}

/** Extraction through Python's command line modules. */
export function pythonArchive(m: Machine, module: string, args: string[], call: Call): void {
  const at = args.findIndex(arg => arg === '-e' || arg === '--extract');
  const file = at < 0 ? undefined : args[at + 1];
  if (file === undefined) {
    const create = args.findIndex(arg => arg === '-c' || arg === '--create');
    if (create >= 0 && args[create + 1]) touch(m, call.scope, 'write', args[create + 1]!, module);
    return;
  }
  const bytes = bytesOf(m, call, file);
  extract(
    m,
    call,
    bytes && (module === 'zipfile' ? zipNames(bytes) : tarNames(bytes)),
    args[at + 2] ?? '.',
    `python -m ${module}`,
    [],
  );
}

/** What `git archive` pipes out, as far as extraction is concerned. */
export const ARCHIVE = '\uFDDAarchive\n';
