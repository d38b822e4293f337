import { closing, isPunct, split } from './brackets.ts';
import { withEnvironment } from './code-environment.ts';
import { bindParams, functions } from './code-functions.ts';
import { bind, moduleName } from './code-names.ts';
import type { Reader } from './code-reader.ts';
import { execute, run } from './code-starts.ts';
import { flat, text } from './code-texts.ts';
import { evaluate, stringValue } from './code-values.ts';
import { keyword, writes } from './code-writes.ts';
import { type Call, type Machine, path, touch } from './machine.ts';
import { isKnown } from './marks.ts';
import { CALLS, EXEC, EXEC_MODULES } from './table/calls.ts';
import { tcl } from './tcl.ts';
import { type Language, type Token, tokenize } from './tokens.ts';

export type { Language };

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
    if (r.language === 'python') unpacked(r, name, args, module);
    const row = CALLS.get(name === 'sync' && module !== undefined ? module : name);
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

/** `zipfile.ZipFile(f).extractall(d)`, `tarfile.open(f)`, `shutil.unpack_archive(f, d)`: the archive last named is meant. */
function unpacked(r: Reader, name: string, args: [number, number][], module: string | undefined): void {
  const { m, call } = r;
  const opened = /^(?:ZipFile|TarFile)$/.test(name) || (name === 'open' && /^(?:tarfile|TarFile)$/.test(module ?? ''));
  if ((opened || name === 'unpack_archive') && args[0]) r.archive = flat(evaluate(r, ...args[0]))[0];
  if (!/^(?:extractall|extract|unpack_archive)$/.test(name) || r.archive === undefined) return;
  const at = name === 'extractall' ? 0 : 1;
  const named = keyword(r, args, 'path') ?? keyword(r, args, 'extract_dir');
  const positional = args[at] && !isPunct(r.tokens[args[at]![0] + 1], '=') ? evaluate(r, ...args[at]!) : undefined;
  const dest = flat(named ?? positional ?? text('.'))[0] ?? '.';
  const kind = /\.(?:zip|whl|jar)$/i.test(r.archive) ? 'zipfile' : 'tarfile';
  m.parts.far().pythonArchive(m, kind, ['-e', r.archive, dest === '' ? '.' : dest], call);
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
    const program = withEnvironment(source, call);
    const tokens = tokenize(program, language);
    const defined = functions(tokens, program, language);
    const r: Reader = {
      m,
      call,
      language,
      argv,
      tokens,
      vars: new Map(),
      names: new Map(),
      via,
      depth: 0,
    };
    bind(r);
    // What one function is given it may hand on to another.
    for (let round = 0; round < Math.min(3, defined.size); round++) {
      bindParams(r, defined, evaluate);
      bind(r);
    }
    scan(r);
  } finally {
    nesting--;
  }
}
