import { type Call, copyScope, fileText, type Machine, nothing, path, type Text, touch, unknown } from './machine.ts';
import { just, make } from './make.ts';
import { isKnown, UNKNOWN } from './marks.ts';
import { runner } from './test-runner.ts';
import { ruff, toolchain } from './toolchain.ts';

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
    // husky writes where hooks are looked for, other than its own folder.
    const dir =
      name === 'husky' ? args.find(arg => !/^(?:-.*|install|init|add|set|uninstall|\.husky\/?)$/.test(arg)) : undefined;
    if (args[0] === 'uninstall' || (dir !== undefined && !/^(?:add|set)$/.test(args[0] ?? '')))
      touch(m, call.scope, 'delete', `${m.root}/.git/hooks`, `${name} ${args[0]}`, { deep: true });
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
  if (verb === 'init' && more.length === 0 && !args.some(arg => /^(?:-w|--workspace)/.test(arg)))
    touch(m, call.scope, 'write', `${dir}/package.json`, `${name} init`);
  if (verb === 'pack')
    for (const [k, arg] of args.entries()) {
      const to = /^--(?:pack-destination|out)(?:=(.*))?$/.exec(arg);
      if (to) touch(m, call.scope, 'create', `${to[1] ?? args[k + 1] ?? ''}/${UNKNOWN}.tgz`, `${name} pack`);
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
