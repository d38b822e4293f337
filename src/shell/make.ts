import { type Call, copyScope, fileText, type Machine, nothing, path, type Text, unknown } from './machine.ts';
import { isKnown } from './marks.ts';
import { parseArgs } from './operands.ts';

type Rule = { needs: string[]; lines: string[] };

function makeRules(text: string): { rules: Map<string, Rule>; first: string | undefined; vars: Map<string, string> } {
  const rules = new Map<string, Rule>();
  const vars = new Map<string, string>();
  let first: string | undefined;
  let open: Rule[] = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    if (line.startsWith('\t')) {
      for (const rule of open) rule.lines.push(line.slice(1));
      continue;
    }
    const set = /^(?:export\s+|override\s+)?([\w.-]+)\s*(?:[:?+]|::)?=\s*(.*)$/.exec(line);
    if (set) {
      vars.set(set[1]!, set[2]!);
      continue;
    }
    const head = /^([^\s#:=][^:=#]*?)\s*::?(?!=)\s*([^;#]*)(?:;(.*))?/.exec(line);
    if (!head) {
      if (line.trim() !== '' && !line.startsWith('#')) open = [];
      continue;
    }
    open = [];
    for (const name of head[1]!.trim().split(/\s+/)) {
      const rule = rules.get(name) ?? { needs: [], lines: [] };
      rule.needs.push(...head[2]!.trim().split(/\s+/).filter(Boolean));
      if (head[3]) rule.lines.push(head[3]);
      rules.set(name, rule);
      open.push(rule);
      if (!name.startsWith('.') && !name.includes('%')) first ??= name;
    }
  }
  return { rules, first, vars };
}

export function make(m: Machine, args: string[], call: Call): Text {
  const { flags, operands } = parseArgs(args, {
    val: 'f C I o W file makefile directory include-dir old-file what-if eval',
    glued: 'j l O',
  });
  if (['n', 'just-print', 'dry-run', 'recon', 'q', 'question', 't', 'p', 'v', 'version'].some(flag => flags.has(flag)))
    return unknown;
  const dir = path(m, call.scope, [...(flags.get('C') ?? []), ...(flags.get('directory') ?? [])].join('/') || '.');
  const named = [...(flags.get('f') ?? []), ...(flags.get('file') ?? []), ...(flags.get('makefile') ?? [])];
  const inner: Call = {
    ...call,
    scope: { ...copyScope(call.scope), cwd: [dir], functions: new Map(), aliases: new Map() },
    stdin: nothing,
  };
  let text: string | null = null;
  for (const file of named.length > 0 ? named : ['GNUmakefile', 'makefile', 'Makefile']) {
    const part = file === '-' || file === '/dev/stdin' ? call.stdin() : fileText(m, path(m, inner.scope, file));
    if (part !== null) {
      text = (text ?? '') + part;
      if (named.length === 0) break;
    }
  }
  for (const extra of flags.get('eval') ?? []) text = `${extra}\n${text ?? ''}`;
  if (text === null || !isKnown(text)) return unknown;
  const { rules, first, vars } = makeRules(text);
  for (const set of operands.filter(word => word.includes('=')))
    vars.set(set.slice(0, set.indexOf('=')).replace(/[:?+]$/, ''), set.slice(set.indexOf('=') + 1));
  const goals = operands.filter(word => !word.includes('='));
  const fill = (line: string, target: string, rule: Rule, depth = 0): string =>
    line.replace(/\$(?:\$|([@<^?*])|[({]([^(){}]*)[)}]|(\w))/g, (all, auto, name, letter) => {
      if (all === '$$') return '$';
      if (auto) return auto === '@' ? target : auto === '<' ? (rule.needs[0] ?? '') : rule.needs.join(' ');
      const key = name ?? letter;
      if (key === 'MAKE') return 'make';
      if (key === 'CURDIR') return dir;
      const shell = /^shell\s+(.*)$/.exec(key);
      if (shell) return `$(${shell[1]})`;
      const value = vars.get(key) ?? m.env[key] ?? '';
      return depth < 8 ? fill(value, target, rule, depth + 1) : value;
    });
  const seen = new Set<string>();
  const visit = (target: string): void => {
    if (seen.has(target) || seen.size > 200) return;
    seen.add(target);
    const rule =
      rules.get(target) ??
      [...rules].find(
        ([name]) =>
          name.includes('%') && target.startsWith(name.split('%')[0]!) && target.endsWith(name.split('%')[1]!),
      )?.[1];
    if (!rule) return;
    for (const need of rule.needs) visit(fill(need, target, rule));
    for (const line of rule.lines) m.script(fill(line.replace(/^[@+-]+\s*/, ''), target, rule), inner);
  };
  for (const goal of goals.length > 0 ? goals : first ? [first] : []) visit(goal);
  return unknown;
}

/** `just RECIPE`: the same file shape with blanks for tabs. */
export function just(m: Machine, args: string[], call: Call): Text {
  const goals = args.filter(arg => !arg.startsWith('-'));
  if (args.some(arg => /^(?:-n|--dry-run|-l|--list|--show|--summary)$/.test(arg))) return unknown;
  const text = ['justfile', 'Justfile', '.justfile']
    .map(file => fileText(m, path(m, call.scope, file)))
    .find(found => found !== null);
  if (!text) return unknown;
  const lines = text.split('\n');
  for (const goal of goals.slice(0, 1)) {
    const at = lines.findIndex(line => new RegExp(`^@?${goal.replace(/[^\w-]/g, '')}\\b[^=]*:(?!=)`).test(line));
    for (let i = at + 1; at >= 0 && i < lines.length && (/^\s+\S/.test(lines[i]!) || lines[i] === ''); i++)
      m.script(lines[i]!.trim().replace(/^[@-]+/, ''), { ...call, scope: copyScope(call.scope), stdin: nothing });
  }
  return unknown;
}
