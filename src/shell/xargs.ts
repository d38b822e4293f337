/** Commands made of another one and a list of items. */
import { words } from './env-command.ts';
import { type Call, copyScope, fileText, type Machine, nothing, path, type Text, unknown } from './machine.ts';
import { either, isKnown, UNKNOWN } from './marks.ts';

const BATCH = 128;

export function xargs(m: Machine, args: string[], call: Call): Text {
  let i = 0;
  let insert = '';
  let each = 0;
  let nul = false;
  let delimiter = '';
  let text: string | null = null;
  for (; i < args.length; i++) {
    const arg = args[i]!;
    const found =
      /^-([aIiLnPsEdel])(.*)$/s.exec(arg) ??
      /^--(arg-file|replace|max-args|max-lines|max-procs|max-chars|delimiter|eof)(?:=(.*))?$/s.exec(arg);
    if (!found) {
      if (!arg.startsWith('-')) break;
      if (/^-\w*0/.test(arg) || arg === '--null') nul = true;
      if (arg === '--') {
        i++;
        break;
      }
      continue;
    }
    const [, key, glued] = found;
    const optional = key === 'i' || key === 'e' || key === 'l' || key === 'replace';
    const value = glued || (optional ? '' : (args[++i] ?? ''));
    if (key === 'I' || key === 'i' || key === 'replace') insert = value || '{}';
    if (key === 'n' || key === 'max-args' || key === 'L') each = Number(value);
    if (key === 'd' || key === 'delimiter')
      delimiter = value === '\\n' ? '\n' : value === '\\0' ? '\0' : value === '\\t' ? '\t' : value;
    if (key === 'a' || key === 'arg-file') text = fileText(m, path(m, call.scope, value));
  }
  const command = args.slice(i);
  const input = text ?? call.stdin();
  const argv = command.length > 0 ? command : ['echo'];
  const next = { ...call, stdin: nothing };
  if (input === UNKNOWN)
    return m.start(insert ? argv.map(word => word.replaceAll(insert, UNKNOWN)) : [...argv, UNKNOWN], next);
  const lines = (): string[] =>
    input
      .split(nul && input.includes('\0') ? '\0' : delimiter || /[\n\0]/)
      .map(line => line.replace(/\n$/, ''))
      .filter(Boolean);
  if (insert) {
    let out = '';
    for (const line of lines().slice(0, BATCH))
      out += m.start(
        argv.map(word => word.replaceAll(insert, line.trim())),
        next,
      )();
    return () => out;
  }
  const items = nul || delimiter ? lines() : isKnown(input) ? words(input) : input.split(/\s+/).filter(Boolean);
  if (items.length === 0) return argv.length > 0 ? m.start(argv, next) : nothing;
  if (!each) return m.start([...argv, ...items], next);
  let out = '';
  for (let k = 0; k < items.length && k < each * BATCH; k += each)
    out += m.start([...argv, ...items.slice(k, k + each)], next)();
  return () => out;
}

export function parallel(m: Machine, args: string[], call: Call): Text {
  const command: string[] = [];
  const lists: string[][] = [];
  let i = 0;
  const { scope } = call;
  for (; i < args.length; i++) {
    const arg = args[i]!;
    if (/^:{3,4}\+?$/.test(arg)) break;
    if (command.length === 0 && arg.startsWith('-')) {
      if (/^(?:-[jPnNLISaC]|--(?:jobs|arg-file|colsep|delay|timeout|results|joblog|max-args))$/.test(arg)) i++;
      if (/^-a$|^--arg-file$/.test(arg))
        lists.push((fileText(m, path(m, scope, args[i] ?? '')) ?? UNKNOWN).split('\n').filter(Boolean));
      continue;
    }
    command.push(arg);
  }
  for (; i < args.length; i++) {
    const kind = args[i]!;
    const list: string[] = [];
    for (; i + 1 < args.length && !/^:{3,4}\+?$/.test(args[i + 1]!); i++) list.push(args[i + 1]!);
    lists.push(
      kind.startsWith('::::')
        ? list.flatMap(file => (fileText(m, path(m, scope, file)) ?? UNKNOWN).split('\n').filter(Boolean))
        : list,
    );
  }
  const items = lists[0] ?? (call.stdin() === UNKNOWN ? [UNKNOWN] : call.stdin().split('\n').filter(Boolean));
  const text = command.join(' ');
  const stdin = nothing;
  if (text === '') {
    for (const item of items.slice(0, BATCH)) m.script(item, { ...call, scope: copyScope(scope), stdin });
    return unknown;
  }
  const rest = lists.slice(1).map(list => either(list));
  for (const item of items.slice(0, BATCH)) {
    const stem = item.replace(/\.[^./]*$/, '');
    const base = item.replace(/^.*\//, '');
    const filled = text
      .replaceAll('{}', item)
      .replaceAll('{.}', stem)
      .replaceAll('{/}', base)
      .replaceAll('{//}', item.includes('/') ? item.replace(/\/[^/]*$/, '') : '.')
      .replaceAll('{/.}', base.replace(/\.[^.]*$/, ''))
      .replaceAll('{1}', item)
      .replaceAll('{2}', rest[0] ?? '{2}');
    const line = filled === text ? `${text} ${item}` : filled;
    m.script(line, { ...call, scope: copyScope(scope), stdin });
  }
  return unknown;
}
