import { bind, moduleName } from './code-names.ts';
import { closing, evaluate, flat, isPunct, type Reader, split, stringValue, text, type Value } from './code-values.ts';
import { type Call, copyScope, type Machine, nothing, path, touch } from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { CALLS, type CallRow, EXEC, EXEC_MODULES, FILE_MODULES } from './table/calls.ts';
import { type Language, type Token, tokenize } from './tokens.ts';

export type { Language };

const WRITES = /[wax+]|O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/;

/** Second pass: every call that changes files or starts a program. */
function scan(r: Reader): void {
  const { tokens, m, call } = r;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === 'x') {
      for (const one of flat(stringValue(r, token))) run(r, one);
      continue;
    }
    if (token.kind !== 'i') continue;
    const bracket =
      isPunct(tokens[i + 1], '(') ||
      (r.language === 'js' &&
        tokens[i + 1]?.kind === 's' &&
        isPunct(tokens[i - 1], '.') === false &&
        token.text === '$');
    const loose =
      !bracket &&
      (r.language === 'perl' || r.language === 'ruby' || r.language === 'php' || r.language === 'tcl') &&
      tokens[i + 1] !== undefined &&
      (/^[sin]$/.test(tokens[i + 1]!.kind) || isPunct(tokens[i + 1], '<'));
    if (!bracket && !loose) continue;
    const own = r.names.get(token.text) ?? token.text;
    const dotted = isPunct(tokens[i - 1], '.') || isPunct(tokens[i - 1], '->') || isPunct(tokens[i - 1], '::');
    const name = own.replace(/^.*\./, '');
    const end = bracket ? closing(tokens, i + 1) : looseEnd(tokens, i + 1);
    const args = bracket && isPunct(tokens[i + 1], '(') ? split(tokens, i + 2, end) : split(tokens, i + 1, end);
    const before = dotted ? tokens[i - 2] : undefined;
    const base =
      before?.kind === 'i' ? (r.names.get(before.text) ?? before.text).replace(/^.*\./, '') : dotted ? '' : undefined;
    const required = before && isPunct(before, ')') ? requiredModule(tokens, i - 2) : undefined;
    const module = required ?? base;
    // `fileinput.input(f, inplace=True)`
    if (/^(?:input|FileInput)$/.test(name) && keyword(r, args, 'inplace') && args[0])
      for (const one of flat(evaluate(r, ...args[0]))) touch(m, call.scope, 'write', one, r.via);
    const row = CALLS.get(name);
    if (row) writes(r, name, row, i, args, dotted, module);
    if (EXEC.test(name) && (!dotted || (module !== undefined && EXEC_MODULES.test(module)))) {
      if (name === 'exec' && !dotted && r.language === 'python') evaluated(r, args);
      else if (name === 'run' && !dotted && r.language === 'js') continue;
      else execute(r, args);
    }
    if (
      (name === 'eval' && !dotted) ||
      name === 'runInNewContext' ||
      name === 'runInThisContext' ||
      name === 'instance_eval'
    )
      evaluated(r, args);
    if (
      (name === 'require' || name === 'import' || name === 'load' || name === 'require_relative') &&
      !dotted &&
      args[0]
    ) {
      for (const one of flat(evaluate(r, ...args[0])))
        if (/^\.{0,2}\//.test(one)) m.scripts.add(path(m, call.scope, one));
    }
  }
}

const requiredModule = (tokens: Token[], close: number): string | undefined => {
  const inner = tokens[close - 1];
  const word = tokens[close - 3];
  return inner?.kind === 's' && word?.kind === 'i' && /^(?:require|import|__import__)$/.test(word.text)
    ? moduleName(inner.text)
    : undefined;
};

function looseEnd(tokens: Token[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === 'i' && depth === 0 && /^(?:or|and|if|unless|for|foreach|while|do)$/.test(token.text)) return i;
    if (token.kind !== 'p') continue;
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text) && --depth < 0) return i;
    else if (depth === 0 && /^(?:;|\n|\|\||&&)$/.test(token.text)) return i;
  }
  return tokens.length;
}

function keyword(r: Reader, args: [number, number][], name: string): Value | undefined {
  for (const [a, b] of args)
    if (r.tokens[a]?.text === name && (isPunct(r.tokens[a + 1], '=') || isPunct(r.tokens[a + 1], ':')))
      return evaluate(r, a + 2, b);
  return undefined;
}

function writes(
  r: Reader,
  name: string,
  row: CallRow,
  i: number,
  args: [number, number][],
  dotted: boolean,
  module: string | undefined,
): void {
  const { tokens, m, call } = r;
  const value = (n: number): Value | undefined => (args[n] ? evaluate(r, ...args[n]!) : undefined);
  const isModule = module !== undefined && FILE_MODULES.test(module);
  let receiver: Value | undefined;
  if (dotted && !isModule) receiver = evaluate(r, statementStartOf(tokens, i - 2), i - 1);
  if (row.on === 'module' && !isModule) return;
  if (row.on === 'path' && dotted && !isModule && !receiver?.path) return;
  // Ruby's File.open and Perl's open have their own habits.
  if (r.language === 'perl' && name === 'open') {
    perlOpen(r, args);
    return;
  }
  const onReceiver = receiver !== undefined && row.at.includes('r') && (receiver.path || row.at.length === 1);
  if (row.mode !== undefined) {
    const position = onReceiver ? 0 : row.mode;
    const given = keyword(r, args, 'mode') ?? keyword(r, args, 'flags') ?? value(position);
    const mode =
      given &&
      !(
        args[position] &&
        keyword(r, [args[position]!], 'mode') === undefined &&
        isPunct(tokens[args[position]![0] + 1], '=')
      )
        ? given
        : keyword(r, args, 'mode');
    const words = tokens
      .slice(args[position]?.[0] ?? 0, args[position]?.[1] ?? 0)
      .map(one => one.text)
      .join('');
    if (!mode && !/O_/.test(words)) return;
    if (
      !WRITES.test(
        flat(mode ?? text(''))
          .filter(isKnown)
          .join(''),
      ) &&
      !/O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(words)
    )
      return;
  }
  const extra = row.deep ? { deep: true as const } : {};
  const write = (target: Value | undefined): void => {
    for (const one of target ? new Set(flat(target)) : []) touch(m, call.scope, row.op ?? 'write', one, r.via, extra);
  };
  if (onReceiver) {
    write(receiver);
    if (row.op === 'rename') write(value(0));
    return;
  }
  const list = name === 'remove' && r.language === 'ruby' ? args.map((_, n) => n) : row.at;
  for (const at of list) if (at !== 'r') write(value(at));
  // Perl and Ruby delete lists: `unlink @files`, `File.delete(a, b)`.
  if (/^(?:unlink|delete|rm|rm_f|rm_rf)$/.test(name))
    for (let n = 1; n < args.length; n++) if (!isPunct(tokens[args[n]![0] + 1], ':')) write(value(n));
  // A content that the text tells, for guards that judge what is written.
  if (/^(?:writeFile|appendFile|write_text|outputFile|file_put_contents|write)/.test(name))
    attach(r, value(onReceiver ? 0 : 1), name);
}

function attach(r: Reader, value: Value | undefined, name: string): void {
  const last = r.m.effects.at(-1);
  const known =
    value && !value.list && value.texts.length === 1 && isKnown(value.texts[0]!) ? value.texts[0] : undefined;
  if (!last || last.via !== r.via || known === undefined) return;
  last.content = () => known;
  if (name.startsWith('append')) last.append = true;
}

function statementStartOf(tokens: Token[], from: number): number {
  let i = from;
  while (i >= 0) {
    const token = tokens[i]!;
    if (token.kind === 'p' && /^[)\]]$/.test(token.text)) {
      let depth = 0;
      for (; i >= 0; i--) {
        const one = tokens[i]!;
        if (one.kind !== 'p') continue;
        if (/^[)\]}]$/.test(one.text)) depth++;
        else if (/^[([{]$/.test(one.text) && --depth === 0) break;
      }
      // What the bracket belongs to: a name before it goes with it.
      if (tokens[i - 1]?.kind === 'i' || (isPunct(tokens[i - 1], ')') && token.text === ')')) {
        i--;
        continue;
      }
    } else if (token.kind === 'p') return i + 1;
    if (isPunct(tokens[i - 1], '.') || isPunct(tokens[i - 1], '->') || isPunct(tokens[i - 1], '::')) i -= 2;
    else return Math.max(i, 0);
  }
  return 0;
}

function perlOpen(r: Reader, args: [number, number][]): void {
  const value = (n: number): string[] => (args[n] ? flat(evaluate(r, ...args[n]!)) : []);
  for (const mode of value(1)) {
    const glued = /^\s*(\+?>{1,2}|\+<)\s*(?::\S+\s*)?(.*)$/s.exec(mode);
    if (glued) for (const file of glued[2] ? [glued[2]] : value(2)) touch(r.m, r.call.scope, 'write', file, r.via);
    else if (/^\s*\|(?!-)/.test(mode)) run(r, mode.replace(/^\s*\|/, ''));
    else if (/^\|-$/.test(mode)) for (const one of value(2)) run(r, one);
  }
}

function run(r: Reader, code: string): void {
  if (code.replaceAll(UNKNOWN, '') === '') return;
  r.m.script(code, {
    ...r.call,
    scope: { ...copyScope(r.call.scope), functions: new Map(), aliases: new Map() },
    stdin: nothing,
  });
}

/** `system("..")` is shell text; a list, or several words, is an argv. */
function execute(r: Reader, args: [number, number][]): void {
  const plain = args.filter(
    ([a]) => !(r.tokens[a]?.kind === 'i' && isPunct(r.tokens[a + 1], '=')) && !isPunct(r.tokens[a], '{'),
  );
  const values = plain.map(([a, b]) => evaluate(r, a, b));
  const [first, second] = values;
  if (!first) return;
  const argvOf = (value: Value): string[] => (value.list ?? []).map(one => flat(one)[0] ?? UNKNOWN);
  const start = (argv: string[]): void => {
    if (argv.length > 0)
      r.m.start(argv, {
        ...r.call,
        scope: { ...copyScope(r.call.scope), functions: new Map(), aliases: new Map() },
        stdin: nothing,
      });
  };
  if (first.list) start(argvOf(first));
  else if (second?.list) start([flat(first)[0] ?? UNKNOWN, ...argvOf(second)]);
  else if (values.length > 1 && r.language !== 'js' && r.language !== 'python')
    start(values.map(value => flat(value)[0] ?? UNKNOWN));
  else for (const one of flat(first).slice(0, 8)) run(r, one);
}

function evaluated(r: Reader, args: [number, number][]): void {
  if (r.depth > 3 || !args[0]) return;
  for (const one of flat(evaluate(r, ...args[0])).slice(0, 4))
    if (isKnown(one)) readCode(r.m, one, r.language, r.argv, r.via, r.call);
}

let nesting = 0;

/** Reads a program in another language for the files it changes and the commands it starts. */
export function readCode(
  m: Machine,
  source: string,
  language: Language,
  argv: string[],
  via: string,
  call: Call,
): void {
  if (nesting > 4) return;
  nesting++;
  try {
    if (language === 'tcl') {
      tcl(m, source, via, call);
      return;
    }
    const r: Reader = {
      m,
      call,
      language,
      argv,
      tokens: tokenize(source, language),
      vars: new Map(),
      names: new Map(),
      via,
      depth: 0,
    };
    bind(r);
    scan(r);
  } finally {
    nesting--;
  }
}

function tcl(m: Machine, source: string, via: string, call: Call): void {
  for (const found of source.matchAll(
    /(?:^|[;[\n{])\s*(exec|spawn|system|file\s+(?:delete|rename|copy|mkdir|link)|open|log_file)\s+([^;\]\n}]*)/g,
  )) {
    const words = found[2]!.split(/\s+/).map(word => word.replace(/^["{]|["}]$/g, ''));
    const verb = found[1]!;
    if (/^(?:exec|spawn|system)$/.test(verb))
      m.script(found[2]!, { ...call, scope: copyScope(call.scope), stdin: nothing });
    else if (verb === 'open') {
      if (/[wa+]/.test(words[1] ?? '')) touch(m, call.scope, 'write', words[0] ?? '', via);
    } else
      for (const word of words.filter(word => word !== '' && !word.startsWith('-')))
        touch(m, call.scope, /delete/.test(verb) ? 'delete' : 'rename', word, via, { deep: true });
  }
}
