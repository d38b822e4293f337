import { type Call, fileText, git, type Machine, path, readBy, type Text, touch, unknown } from './machine.ts';
import { isKnown } from './marks.ts';
import { parseArgs } from './operands.ts';

/** Texts that only git could tell, by the command that prints them. */
export const printing = new WeakMap<Text, { argv: string[]; cwd: string }>();

/** Files a diff changes, with `strip` leading components removed. */
export function patchPaths(
  text: string,
  strip: number,
): { file: string; op: 'write' | 'create' | 'delete' | 'rename' }[] {
  const found: { file: string; op: 'write' | 'create' | 'delete' | 'rename' }[] = [];
  const cut = (name: string): string => {
    const plain = name
      .replace(/\t.*$/, '')
      .replace(/^"(.*)"$/, '$1')
      .trim();
    return plain.split('/').slice(strip).join('/') || plain.replace(/^.*\//, '');
  };
  let old = '';
  for (const line of text.split('\n')) {
    const head = /^(---|\+\+\+|rename from|rename to|copy to|diff --git|Index:) (.*)$/.exec(line.replace(/\r$/, ''));
    if (!head) {
      if (/^(?:old|new|deleted file) mode /.test(line) && old) found.push({ file: old, op: 'write' });
      continue;
    }
    const [, kind, name] = head as unknown as [string, string, string];
    if (kind === 'diff --git') old = cut(name.replace(/^.* (?=\S+$)/, ''));
    else if (kind === 'Index:') found.push({ file: name.trim(), op: 'write' });
    else if (kind.startsWith('rename') || kind === 'copy to')
      found.push({ file: name.trim(), op: kind === 'copy to' ? 'create' : 'rename' });
    else if (!name.startsWith('/dev/null')) found.push({ file: cut(name), op: 'write' });
  }
  return found;
}

/** `patch`: the files named in the diff, or the one operand. True when this was a patch command. */
export function patchCommand(m: Machine, name: string, args: string[], call: Call): boolean {
  if (name !== 'patch' && name !== 'gpatch') return false;
  const { scope } = call;
  const { flags, operands } = parseArgs(args, {
    val: 'p i o d r D F g V Y Z strip input output directory reject-file prefix suffix fuzz B z',
  });
  const get = (names: string): string | undefined =>
    names
      .split(' ')
      .flatMap(flag => flags.get(flag) ?? [])
      .at(-1);
  for (const file of [get('o output'), get('r reject-file')]) if (file) touch(m, scope, 'write', file, 'patch');
  if (flags.has('dry-run') || flags.has('C') || get('o output') !== undefined) return true;
  const dir = get('d directory') ?? '.';
  if (operands[0] !== undefined) {
    touch(m, scope, 'write', `${dir}/${operands[0]}`, 'patch');
    return true;
  }
  const input = get('i input') ?? operands[1];
  const fromFile = input !== undefined && input !== '-';
  const source = printing.get((fromFile ? m.files.get(path(m, scope, input)) : call.stdin) ?? unknown);
  if (source) {
    const how = flags.has('R') || flags.has('reverse') ? 'reverse-printed' : 'apply-printed';
    git(m, { verb: 'apply', argv: [how, ...source.argv], cwd: source.cwd, paths: [] }, 'patch');
    return true;
  }
  const text = fromFile ? fileText(m, path(m, scope, input)) : call.stdin();
  applyPatch(m, call, text, dir, Number(get('p strip') ?? Number.NaN), 'patch');
  return true;
}

export function applyPatch(
  m: Machine,
  call: Call,
  text: string | null,
  dir: string,
  strip: number,
  via: string,
): boolean {
  if (text === null || !isKnown(text)) {
    m.effects.push({ op: 'write', target: { kind: 'unknown' }, via });
    return false;
  }
  readBy(m, text);
  for (const { file, op } of patchPaths(text, Number.isNaN(strip) ? 1 : strip))
    touch(m, call.scope, op, `${dir}/${file}`, via);
  if (Number.isNaN(strip))
    for (const { file, op } of patchPaths(text, 0))
      if (!/^[ab]\//.test(file)) touch(m, call.scope, op, `${dir}/${file}`, via);
  return true;
}
