import { isAbsolute, resolve } from 'node:path';
import type { Effect, Op, Reading } from './effect.ts';
import type { ShellContext } from './port.ts';
import { type Token, tokenize } from './powershell-tokens.ts';
import { ALIASES, CMDLETS, STATIC_OPS, SWITCHES } from './table/cmdlets.ts';

const STATIC = /\[(?:System\.)?IO\.(File|Directory)\]::(\w+)\(/gi;

type State = { cwd: string; vars: Map<string, string>; reading: Reading; ctx: ShellContext; nested: number };

const fill = (state: State, text: string): string | undefined => {
  let known = true;
  const out = text.replace(/\$\{?(?:env:)?(\w+)\}?/gi, (all, name: string) => {
    const key = name.toLowerCase();
    if (key === 'pwd') return state.cwd;
    if (key === 'home' || key === 'userprofile') return state.ctx.home ?? state.ctx.env?.HOME ?? '~';
    const value = state.vars.get(key) ?? (/env:/i.test(all) ? state.ctx.env?.[name] : undefined);
    if (value === undefined) known = false;
    return value ?? '';
  });
  return known ? out : undefined;
};

function touch(state: State, op: Op, word: string, via: string, span: [number, number], deep?: true): void {
  if (/^\$null$/i.test(word)) return;
  const text = fill(state, word);
  if (text !== undefined && /^(?:\$null|nul|con|-)$/i.test(text || '$null')) return;
  const extra = { via, span, ...(deep ? { deep } : {}) };
  const add = (target: Effect['target']): void => {
    state.reading.effects.push({ op, target, ...extra });
  };
  if (text === undefined) {
    add({ kind: 'unknown' });
    return;
  }
  const slashed = text
    .replace(/^Microsoft\.PowerShell\.Core\\FileSystem::/i, '')
    .replaceAll('\\', '/')
    .replace(/^~(?=\/|$)/, state.ctx.home ?? '~');
  const path = isAbsolute(slashed) || /^[a-zA-Z]:\//.test(slashed) ? slashed : resolve(state.cwd, slashed);
  add(/[*?[]/.test(path) ? { kind: 'glob', pattern: path } : { kind: 'path', path });
}

function statement(state: State, tokens: Token[]): void {
  const words: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === 'op' && token.text.includes('>')) {
      const file = tokens[i + 1];
      if (file && !/&\d$/.test(token.text))
        touch(state, 'write', file.text, token.text.includes('>>') ? '>>' : '>', [token.pos, file.end]);
      i++;
    } else words.push(token);
  }
  const first = words.findIndex(word => !(word.kind === 'op' || word.text === '.'));
  const head = words[first];
  if (!head) return;
  const assign = /^\$(?:\w+:)?(\w+)$/.exec(head.text);
  const equals = words[first + 1];
  if (assign && equals && /^[+]?=$/.test(equals.text)) {
    const value = words[first + 2];
    if (value && words.length === first + 3 && value.kind !== 'op')
      state.vars.set(assign[1]!.toLowerCase(), fill(state, value.text) ?? '');
    if (value && (words.length !== first + 3 || fill(state, value.text) === undefined))
      state.vars.delete(assign[1]!.toLowerCase());
    statement(state, words.slice(first + 2));
    return;
  }
  const typed = head.text
    .toLowerCase()
    .replace(/\.exe$/, '')
    .replace(/^.*[\\/]/, '');
  const name = ALIASES[typed] ?? typed;
  const rest = words.slice(first + 1);
  state.reading.invocations.push({
    argv: [head.text, ...rest.filter(word => word.kind !== 'op').map(word => word.text)],
    cwd: state.cwd,
    span: [head.pos, tokens.at(-1)!.end],
  });
  const named = new Map<string, string[]>();
  const positional: string[] = [];
  let last: string[] = positional;
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i]!;
    if (word.kind === 'op') {
      if (word.text === ',' && rest[i + 1]) last.push(rest[++i]!.text);
      continue;
    }
    const flag = word.kind === 'word' ? /^-([A-Za-z]+)(?::(.*))?$/.exec(word.text) : null;
    if (!flag) {
      positional.push(word.text);
      last = positional;
      continue;
    }
    const key = flag[1]!.toLowerCase();
    if (SWITCHES.test(key)) {
      named.set(key, []);
      continue;
    }
    const values: string[] = flag[2] ? [flag[2]] : [];
    const next = rest[i + 1];
    if (!flag[2] && next && next.kind !== 'op' && !(next.kind === 'word' && /^-[A-Za-z]/.test(next.text))) {
      values.push(next.text);
      i++;
    }
    named.set(key, values);
    last = values;
  }
  if (name === 'set-location' || name === 'push-location') {
    const to = fill(state, named.get('path')?.[0] ?? named.get('literalpath')?.[0] ?? positional[0] ?? '');
    if (to) state.cwd = resolve(state.cwd, to.replaceAll('\\', '/'));
    return;
  }
  if (name === 'invoke-expression' || /^(?:powershell|pwsh|cmd)$/.test(name)) {
    const code =
      named.get('command')?.[0] ?? named.get('c')?.[0] ?? positional.filter(word => !/^\/[ck]$/i.test(word)).join(' ');
    if (code && state.nested < 8) read({ ...state, nested: state.nested + 1 }, code);
    return;
  }
  const row = CMDLETS[name];
  if (!row || named.has('whatif')) return;
  const span: [number, number] = [head.pos, tokens.at(-1)!.end];
  const prefix = (key: string): string[] =>
    [...named].filter(([given]) => given.length > 1 && key.startsWith(given)).flatMap(([, values]) => values);
  const taken = row.names.flatMap(key => named.get(key) ?? prefix(key));
  const dir = name === 'new-item' && named.has('name') ? (named.get('path')?.[0] ?? positional[0]) : undefined;
  if (dir !== undefined) {
    touch(state, row.op, `${dir}/${named.get('name')?.[0] ?? ''}`, head.text, span);
    return;
  }
  for (const word of taken) touch(state, row.op, word, head.text, span, row.deep);
  // `Copy-Item x y`: a position already given by name moves the others up.
  const missing = row.at
    .map(at => at - (taken.length > 0 && row.at.length > 1 ? taken.length : 0))
    .filter(at => at >= 0);
  if (taken.length === 0 || row.at.length > taken.length) {
    for (const at of missing)
      if (positional[at] !== undefined) touch(state, row.op, positional[at]!, head.text, span, row.deep);
    // Without a second position the first operand list is all there is (`rm a, b`).
    if (row.at.length === 1 && row.at[0] === 0)
      for (const word of positional.slice(1))
        if (row.op === 'delete') touch(state, row.op, word, head.text, span, row.deep);
  }
  if (name === 'move-item' || name === 'copy-item')
    for (const word of named.get('destination') ?? []) touch(state, row.op, word, head.text, span);
}

function read(state: State, source: string): void {
  for (const found of source.matchAll(STATIC)) {
    const row = STATIC_OPS[found[2]!.toLowerCase()];
    const at = found.index + found[0].length;
    if (!row) continue;
    const args: string[] = [];
    for (const token of tokenize(source.slice(at))) {
      if (token.kind === 'op' && token.text === ')') break;
      if (token.kind !== 'op') args.push(token.text);
    }
    for (const n of row.at)
      if (args[n] !== undefined)
        touch(state, row.op, args[n]!, `[IO.${found[1]}]::${found[2]}`, [found.index, at], row.deep);
  }
  let current: Token[] = [];
  const flush = (): void => {
    if (current.length > 0) statement(state, current);
    current = [];
  };
  for (const token of tokenize(source)) {
    if (token.kind === 'op' && /^(?:[\n;|{}()]|&&|\|\|)$/.test(token.text)) flush();
    else current.push(token);
  }
  flush();
}

/** What a PowerShell command would do, by its writing cmdlets, redirections and System.IO calls. Never throws. */
export function readPowershell(command: string, ctx: ShellContext): Reading {
  const reading: Reading = { effects: [], invocations: [], deliveries: [], hookSkips: [], scripts: [], opaque: [] };
  if (command.length > 128 * 1024) reading.opaque.push(command);
  else
    try {
      read({ cwd: ctx.cwd, vars: new Map(), reading, ctx, nested: 0 }, command);
    } catch {
      reading.opaque.push(command);
    }
  return reading;
}
