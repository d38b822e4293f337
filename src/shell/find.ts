import { ANY_CHAR, below, matcher } from './glob.ts';
import { type Call, type Machine, path, type Text, touch } from './machine.ts';
import { activate, isKnown, UNKNOWN } from './marks.ts';

/** Undefined: may be met or not. */
type Met = boolean | undefined;
type Test = (file: string, shown: string) => Met;
type Action = { kind: string; argv: string[]; files: string[] };

const VALUED =
  /^-(?:newer\w*|mtime|mmin|atime|amin|ctime|cmin|size|perm|user|group|uid|gid|links|inum|samefile|fstype|used|printf|fls|regextype|maxdepth|mindepth|type|xtype|name|iname|path|ipath|wholename|regex|iregex|lname)$/;

/** `find`: walks the real tree and does what the actions say to the files that reach them, or may. */
export function find(m: Machine, args: string[], call: Call): Text {
  const roots: string[] = [];
  let i = 0;
  while (i < args.length && (/^-[HLPO]/.test(args[i]!) || args[i] === '-D')) i++;
  while (i < args.length && !/^[-(!]/.test(args[i]!)) roots.push(args[i++]!);
  if (roots.length === 0) roots.push('.');
  let min = 0;
  let max = 99;
  const actions: Action[] = [];
  const pruned: string[] = [];
  const whole = args.includes('-delete') || args.includes('-depth');

  const or = (): Test => {
    let left = and();
    while (args[i] === '-o' || args[i] === '-or' || args[i] === ',') {
      const comma = args[i++] === ',';
      const [a, b] = [left, and()];
      left = (f, s) => {
        const first = a(f, s);
        if (first === true && !comma) return true;
        const second = b(f, s);
        return comma || first === false ? second : second === true ? true : undefined;
      };
    }
    return left;
  };
  const and = (): Test => {
    let left: Test = () => true;
    while (i < args.length && !/^(?:-o|-or|,|\\?\))$/.test(args[i]!)) {
      if (args[i] === '-a' || args[i] === '-and') i++;
      const [a, b] = [left, one()];
      left = (f, s) => {
        const first = a(f, s);
        if (first === false) return false;
        const second = b(f, s);
        return first === true || second === false ? second : undefined;
      };
    }
    return left;
  };
  const acts = (kind: string, argv: string[], met: Met): Test => {
    const action: Action = { kind, argv, files: [] };
    actions.push(action);
    return (_, shown) => {
      action.files.push(shown);
      return met;
    };
  };
  const one = (): Test => {
    const word = args[i++] ?? '';
    if (word === '!' || word === '-not') {
      const inner = one();
      return (f, s) => {
        const met = inner(f, s);
        return met === undefined ? undefined : !met;
      };
    }
    if (word === '(') {
      const inner = or();
      i++;
      return inner;
    }
    if (/^-(?:exec|execdir|ok|okdir)$/.test(word)) {
      const argv: string[] = [];
      while (i < args.length && args[i] !== ';' && !(args[i] === '+' && argv.at(-1) === '{}')) argv.push(args[i++]!);
      const many = args[i++] === '+';
      return acts(word.slice(1), argv, many ? true : undefined);
    }
    if (word === '-delete') return acts('delete', [], true);
    if (/^-f(?:print|printf|print0|ls)$/.test(word)) {
      touch(m, call.scope, 'write', args[i++] ?? '', 'find');
      if (word === '-fprintf') i++;
      return () => true;
    }
    const value = VALUED.test(word) ? (args[i++] ?? '') : '';
    if (/^-(?:print|print0|printf|ls)$/.test(word)) return acts('print', [], true);
    if (word === '-maxdepth' || word === '-mindepth') {
      if (word === '-maxdepth') max = Number(value);
      else min = Number(value);
      return () => true;
    }
    if (word === '-name' || word === '-iname') {
      const test = matcher(activate(value), ANY_CHAR, word === '-iname' ? 'is' : 's');
      return f => test(f.replace(/^.*\//, ''));
    }
    if (/^-i?(?:path|wholename)$/.test(word)) {
      const test = matcher(activate(value), ANY_CHAR, word[1] === 'i' ? 'is' : 's');
      return (_, s) => test(s);
    }
    if (/^-i?regex$/.test(word)) {
      try {
        const regex = new RegExp(`^(?:${value.replace(/\\([|(){}+?])/g, '$1')})$`, word[1] === 'i' ? 'i' : '');
        return (_, s) => regex.test(s) || undefined;
      } catch {
        return () => undefined;
      }
    }
    if (word === '-type' && (value === 'f' || value === 'd')) return f => m.tree.isDirectory(f) === (value === 'd');
    if (word === '-empty')
      return f =>
        m.tree.isDirectory(f) ? m.tree.list(f).length === 0 : m.tree.readBytes(f, 0) !== null || m.made.has(f);
    if (word === '-prune')
      return f => {
        if (!whole) pruned.push(`${f}/`);
        return true;
      };
    if (
      /^-(?:true|depth|d|mount|xdev|follow|daystart|warn|nowarn|noleaf|quit|regextype|ignore_readdir_race)$/.test(word)
    )
      return () => true;
    return word === '-false' ? () => false : () => undefined;
  };
  const test = or();

  const found: string[] = [];
  for (const root of roots) {
    const at = path(m, call.scope, root);
    if (!isKnown(at)) {
      found.push(UNKNOWN);
      for (const action of actions) action.files.push(UNKNOWN);
      continue;
    }
    const files = max === 0 ? [] : below(m.tree, at);
    if (files === null) {
      found.push(`${root}/${UNKNOWN}`);
      for (const action of actions) action.files.push(`${root}/${UNKNOWN}`);
    }
    for (const file of [at, ...(files ?? [])]) {
      const shown = file === at ? root : (root.endsWith('/') ? root.slice(0, -1) : root) + file.slice(at.length);
      const level = file === at ? 0 : file.slice(at.length).split('/').length - 1;
      if (level < min || level > max || pruned.some(dir => file.startsWith(dir))) continue;
      if (m.tree.exists(file) && test(file, shown) !== false) found.push(shown);
    }
  }
  for (const action of actions) {
    if (action.kind === 'delete') {
      // A folder that is empty holds nothing that could be lost.
      for (const file of action.files)
        if (!m.tree.isDirectory(path(m, call.scope, file)) || m.tree.list(path(m, call.scope, file)).length > 0)
          touch(m, call.scope, 'delete', file, 'find -delete');
    }
    if (action.argv.length > 0) runEach(m, action.argv, action.files, action.kind.endsWith('dir'), call);
  }
  // What a started program prints is most likely the name it was given.
  const printing = actions.filter(action => action.kind !== 'delete');
  const shown = actions.length === 0 ? found : [...new Set(printing.flatMap(action => action.files))];
  return () => (shown.length > 0 ? `${shown.join('\n')}\n` : '');
}

const AT_ONCE = 64;

function runEach(m: Machine, argv: string[], files: string[], inDir: boolean, call: Call): void {
  if (inDir) {
    for (const file of files.slice(0, AT_ONCE)) {
      const dir = file.includes('/') ? file.replace(/\/[^/]*$/, '') : '.';
      const scope = { ...call.scope, cwd: [path(m, call.scope, dir)] };
      m.start(
        argv.map(word => word.replaceAll('{}', `./${file.replace(/^.*\//, '')}`)),
        { ...call, scope },
      );
    }
    return;
  }
  // Most programs take a list: one call with every file says the same as one call each.
  const whole =
    argv.filter(word => word === '{}').length === 1 && !argv.some(word => word !== '{}' && word.includes('{}'));
  const simple = whole && argv.at(-1) === '{}' && !/^(?:\w*sh|cp|mv|ln|install)$/.test(argv[0] ?? '');
  if (files.length === 0) return;
  if (simple) {
    m.start([...argv.slice(0, -1), ...files], call);
    return;
  }
  for (const file of files.slice(0, AT_ONCE))
    m.start(
      argv.map(word => word.replaceAll('{}', file)),
      call,
    );
  if (files.length > AT_ONCE)
    m.start(
      argv.map(word => word.replaceAll('{}', UNKNOWN)),
      call,
    );
}
