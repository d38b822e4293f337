import { type Call, copyScope, fileText, type Machine, nothing, path, type Text, touch, unknown } from './machine.ts';
import { isKnown } from './marks.ts';
import { parseArgs } from './operands.ts';

const quoteWord = (word: string): string =>
  /^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const VALUED =
  /^(?:-C|-w|-F|--prefix|--cwd|--dir|--workspace|--filter|--userconfig|--cache|--registry|--loglevel|--package|-p|--location)$/;

type Manifest = { scripts?: Record<string, unknown> };

function manifest(m: Machine, dir: string): Manifest | null {
  const text = isKnown(dir) ? fileText(m, `${dir.replace(/\/$/, '')}/package.json`) : null;
  try {
    return text === null ? null : (JSON.parse(text) as Manifest);
  } catch {
    return null;
  }
}

/** Runs a script of package.json with what goes before and after it. */
function runScript(m: Machine, name: string, extra: string[], dir: string, call: Call): void {
  const scripts = manifest(m, dir)?.scripts;
  for (const one of [`pre${name}`, name, `post${name}`]) {
    const text = scripts?.[one];
    if (typeof text !== 'string') continue;
    const line = one === name && extra.length > 0 ? `${text} ${extra.map(quoteWord).join(' ')}` : text;
    m.script(line, {
      ...call,
      scope: { ...copyScope(call.scope), cwd: [dir], functions: new Map(), aliases: new Map() },
      stdin: nothing,
    });
  }
}

const strip = (pkg: string): string =>
  pkg.replace(/^(?:npm:)?(@[^@/]+\/)?([^@]+).*$/, (_, scope, name) =>
    scope && /^(?:cli|node)$/.test(name) ? scope.slice(1, -1) : name,
  );

/** npm, pnpm, yarn, bun, npx, make and the like; undefined for everything else. */
export function packageCommand(m: Machine, name: string, args: string[], call: Call): Text | undefined {
  if (name === 'npx' || name === 'bunx' || name === 'pnpx') return npx(m, args, call);
  if (name === 'make' || name === 'gmake' || name === 'just')
    return name === 'just' ? just(m, args, call) : make(m, args, call);
  if (
    name === 'jest' ||
    name === 'vitest' ||
    name === 'ava' ||
    name === 'tap' ||
    name === 'pytest' ||
    name === 'py.test' ||
    name === 'phpunit' ||
    name === 'playwright'
  )
    return runner(m, name, args, call);
  if (name === 'ruff') {
    ruff(m, args, call);
    return unknown;
  }
  if (
    name === 'cargo' ||
    name === 'go' ||
    name === 'dotnet' ||
    name === 'mix' ||
    name === 'next' ||
    name === 'ng' ||
    name === 'dart'
  )
    return toolchain(m, name, args, call);
  if (name === 'pre-commit' || name === 'husky' || name === 'lefthook') {
    if (/^(?:uninstall)$/.test(args[0] ?? ''))
      touch(m, call.scope, 'delete', `${m.root}/.git/hooks`, `${name} uninstall`, { deep: true });
    return unknown;
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(name)) return undefined;

  let dir = call.scope.cwd[0]!;
  const words: string[] = [];
  let rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const [flag, glued] = arg.split(/=(.*)/s) as [string, string | undefined];
    if (arg === '--') {
      rest = args.slice(i + 1);
      break;
    }
    if (/^(?:--prefix|--cwd|--dir|-C)$/.test(flag)) dir = path(m, call.scope, glued ?? args[++i] ?? '.');
    else if (words.length === 0 || name === 'npm') {
      if (VALUED.test(arg)) i++;
      else if (!arg.startsWith('-')) words.push(arg);
      else if (/^(?:-c|--call)$/.test(flag) && words[0]?.match(/^(?:exec|x)$/))
        return m.script(glued ?? args[i + 1] ?? '', { ...call, scope: copyScope(call.scope) });
      else if (words.length > 1 && name !== 'npm') words.push(arg);
    } else words.push(arg);
  }
  const [verb = '', ...more] = words;
  if (verb === 'test' || verb === 't' || verb === 'tst' || verb === 'start' || verb === 'stop' || verb === 'restart') {
    runScript(m, /^t(?:st)?$/.test(verb) ? 'test' : verb, [...(name === 'npm' ? [] : more), ...rest], dir, call);
    if (name === 'bun' && verb === 'test') return runner(m, 'vitest', [...more, ...rest], call);
    return unknown;
  }
  if (/^(?:run|run-script|rum|urn)$/.test(verb)) {
    const [script, ...extra] = more;
    if (script !== undefined) {
      if (name === 'bun' && /\.[cm]?[jt]sx?$/.test(script)) return m.start(['bun', script, ...extra], call);
      runScript(m, script, [...(name === 'npm' ? [] : extra), ...rest], dir, call);
    }
    return unknown;
  }
  if (/^(?:exec|x|dlx)$/.test(verb)) {
    const inner =
      name === 'npm' ? args.slice(args.indexOf(verb) + 1).filter((arg, i) => !(arg === '--' && i < 2)) : more;
    return npx(m, inner, call);
  }
  if (verb === 'pkg' || (verb === 'version' && name !== 'yarn')) {
    if (/^(?:set|delete|fix)$/.test(more[0] ?? '') || verb === 'version')
      touch(m, call.scope, 'write', `${dir}/package.json`, verb === 'version' ? 'npm version' : `npm pkg ${more[0]}`);
    return unknown;
  }
  if (verb === 'config' || verb === 'set' || verb === 'c') {
    const local =
      args.some(arg => /^--location=project$|^--project$/.test(arg)) ||
      (args.includes('--location') && args.includes('project')) ||
      name === 'pnpm';
    if (/^(?:set|delete|rm|edit|fix)$/.test(more[0] ?? '') || verb === 'set')
      touch(m, call.scope, 'write', `${local ? dir : m.home}/.npmrc`, `${name} config`);
    return unknown;
  }
  if (
    /^(?:install|i|ci|add|remove|uninstall|un|rm|update|up|link|ls|list|outdated|audit|view|info|init|create|publish|pack|why|login|whoami|help|cache|prune|dedupe|root|bin|prefix|explain|fund|ping|search|token|team|org|owner|access|dist-tag|deprecate|doctor|completion|rebuild|workspaces?|set-script|self-update|store|patch|import|deploy|fetch|setup|env|generate-lock-entry|plugin|constraints|node|npm|upgrade|upgrade-interactive|licenses?|global|config|pm|unlink|approve-builds)$/.test(
      verb,
    )
  )
    return unknown;
  // yarn, pnpm and bun run scripts and installed programs by their bare name.
  if (verb && name !== 'npm') {
    if (typeof manifest(m, dir)?.scripts?.[verb] === 'string') runScript(m, verb, [...more, ...rest], dir, call);
    else if (name === 'bun') return undefined;
    else return m.start([verb, ...more, ...rest], { ...call, scope: { ...copyScope(call.scope), cwd: [dir] } });
  }
  return unknown;
}

function npx(m: Machine, args: string[], call: Call): Text {
  let i = 0;
  for (; i < args.length && args[i]!.startsWith('-'); i++) {
    const arg = args[i]!;
    if (/^(?:-c|--call)$/.test(arg)) return m.script(args[i + 1] ?? '', { ...call, scope: copyScope(call.scope) });
    if (/^--call=/.test(arg)) return m.script(arg.slice(7), { ...call, scope: copyScope(call.scope) });
    if (arg === '--') {
      i++;
      break;
    }
    if (VALUED.test(arg)) i++;
  }
  const [pkg, ...rest] = args.slice(i);
  return pkg === undefined ? unknown : m.start([/^[./]/.test(pkg) ? pkg : strip(pkg), ...rest], call);
}

/** Test runners change files only when asked to rewrite what they expect. */
function runner(m: Machine, name: string, args: string[], call: Call): Text {
  const updates: Record<string, RegExp> = {
    jest: /^(?:-\w*u\w*(?:=|$)|--u(?:=|$)|--updateSnapshot|--update-snapshot|--update)/,
    vitest: /^(?:-\w*u\w*(?:=|$)|--u(?:=|$)|--update)/,
    ava: /^(?:-u$|--update-snapshots)/,
    tap: /^(?:-S$|--snapshot)/,
    pytest:
      /^(?:--snapshot-update|--inline-snapshot|--force-regen|--regen-all|--update-snapshots?|--update-golden|--overwrite-)/,
    playwright: /^(?:-u$|--update-snapshots)/,
    phpunit: /^-d--update-snapshots/,
  };
  const wants = updates[name === 'py.test' ? 'pytest' : name];
  if (wants && args.some(arg => wants.test(arg) && !/=(?:none|false|fail)$/.test(arg))) {
    const cwd = call.scope.cwd[0]!;
    const python = name.startsWith('py');
    for (const pattern of python
      ? ['**/__snapshots__/**', '**/*.ambr', '**/snapshots/**']
      : ['**/__snapshots__/**', '**/*.snap', '**/*-snapshots/**'])
      m.effects.push({
        op: 'write',
        target: { kind: 'glob', pattern: `${cwd}/${pattern}` },
        via: `${name} ${args.find(arg => wants.test(arg))}`,
        ...(m.span ? { span: m.span } : {}),
      });
  }
  for (const [i, arg] of args.entries()) {
    const out =
      /^--(?:outputFile(?:\.\w+)?|output-file|junit-xml|junitxml|json-report-file|result-log|log-file|html|coverageDirectory|coverage\.reportsDirectory|cov-report|basetemp|debug|alluredir)[= ](?:xml:|html:|json:|lcov:)?(.+)$/.exec(
        /=|^--debug$/.test(arg) || (args[i + 1] ?? '-').startsWith('-') ? arg : `${arg} ${args[i + 1]}`,
      ) ?? /(?:^|^-o|^--override-ini=)(?:log_file|cache_dir)=(.+)$/.exec(arg);
    if (out && !/^(?:term|xml$|html$|annotate)/.test(out[1]!)) touch(m, call.scope, 'write', out[1]!, name);
  }
  return unknown;
}

function ruff(m: Machine, args: string[], call: Call): void {
  const [verb, ...rest] = args;
  const dry = rest.some(arg => /^--(?:check|diff|no-fix)$/.test(arg));
  if (
    dry ||
    !(
      verb === 'format' ||
      (verb === 'check' &&
        rest.some(arg => /^--(?:fix|fix-only|unsafe-fixes|add-noqa)$/.test(arg) && arg !== '--unsafe-fixes'))
    )
  )
    return;
  const { operands } = parseArgs(rest, {
    val: 'select ignore config exclude extend-select line-length target-version',
  });
  m.start(['black', ...(operands.length > 0 ? operands : ['.'])], call);
}

function toolchain(m: Machine, name: string, args: string[], call: Call): Text {
  const { operands, flags } = parseArgs(args, {
    val:
      name === 'cargo'
        ? 'p package manifest-path'
        : name === 'go'
          ? `C run count timeout ${GO_STARTS} ${GO_WRITES}`
          : '',
    ...(name === 'go' ? { single: true as const } : {}),
  });
  const [verb, ...rest] = operands;
  const cwd = call.scope.cwd[0]!;
  const every = (ext: string): void => {
    m.effects.push({
      op: 'write',
      target: { kind: 'glob', pattern: `${cwd}/**/*${ext}` },
      via: `${name} ${verb}`,
      maybe: true,
      ...(m.span ? { span: m.span } : {}),
    });
  };
  if (
    name === 'cargo' &&
    (verb === 'fmt' || verb === 'fix' || (verb === 'clippy' && flags.has('fix'))) &&
    !flags.has('check')
  )
    every('.rs');
  else if (name === 'cargo' && verb === 'insta' && /^(?:accept|test|review)$/.test(rest[0] ?? '')) every('.snap');
  else if (name === 'go' && verb === 'fmt') {
    for (const operand of rest.length > 0 ? rest : ['.']) m.start(['gofmt', '-w', operand], call);
  } else if (name === 'go' && verb === 'run' && rest[0]) m.scripts.add(path(m, call.scope, rest[0]));
  else if (name === 'dotnet' && verb === 'format' && !flags.has('verify-no-changes')) every('.cs');
  else if (name === 'mix' && verb === 'format' && !flags.has('check-formatted')) every('.ex*');
  else if (name === 'dart' && verb === 'format' && !flags.has('output'))
    for (const operand of rest) touch(m, call.scope, 'write', operand, 'dart format', { deep: true });
  for (const [flag, values] of name === 'go' ? flags : []) {
    const own = flag.replace(/^test\./, '');
    for (const value of values)
      if (GO_WRITES.split(' ').includes(own)) touch(m, call.scope, 'write', value, `go -${own}`);
      else if (GO_STARTS.split(' ').includes(own)) m.script(value, { ...call, scope: copyScope(call.scope) });
  }
  return unknown;
}

const GO_STARTS = 'exec toolexec vettool';
const GO_WRITES = 'o trace coverprofile cpuprofile memprofile blockprofile mutexprofile outputdir';

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

function make(m: Machine, args: string[], call: Call): Text {
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
function just(m: Machine, args: string[], call: Call): Text {
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
