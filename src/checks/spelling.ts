/**
 * When do two commands run the same tests? `npm t`, `npm run test` and the script's own command do; a subset does not.
 * Light enough for a hook: nothing but node's own file calls.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isRecord } from '../config/project.ts';

/** Options that change what is printed or how fast, never which tests run. */
const NEUTRAL =
  /^(?:-[vqs]+|-vv+|-i|-r[a-zA-Z]+|--verbose|--silent|--quiet|--no-?colou?r|--colou?r(?:=.*)?|--reporter=.*|--test-reporter=.*|--tb=.*|--no-header|--no-summary|--coverage|--ci|--runInBand|--run|--watch=false|--watchAll=false|--no-watch|--no-fund|--no-audit|--if-present|--nocapture|--format=.*|--loglevel=.*|--no-cov|--durations=\d+|-p=?no:\w+)$/;
/** The same, with the value as a word of its own. */
const NEUTRAL_PAIR = new Set(['--reporter', '--test-reporter', '--tb', '--format', '--loglevel']);

const MANAGER = /^(?:npm|pnpm|yarn|bun)$/;
const RUNS = /^(?:run|run-script|rum|urn)$/;
const LAUNCHER = /^(?:npx|bunx|pnpx)$/;
const ENVIRONMENT_TOOL = /^(?:uv|poetry|pdm|pipenv|rye|hatch|bundle)$/;
const DEPTH = 4;

/** One string per spelling under which the command is known; two commands that share one run the same tests. */
export function spellings(argv: readonly string[], cwd: string, depth = 0): Set<string> {
  const found = new Set<string>();
  const words = bare(argv);
  if (words.length === 0) return found;
  const script = scriptOf(words, cwd);
  if (script === null) {
    found.add(JSON.stringify([cwd, ...withoutNeutral(words)]));
    return found;
  }
  const extra = withoutNeutral(script.extra);
  found.add(JSON.stringify(['script', script.dir, script.name, ...extra]));
  const text = scriptText(script.dir, script.name);
  const inner = text === null || depth >= DEPTH || hasNeighbours(script.dir, script.name) ? null : simpleWords(text);
  if (inner !== null) for (const form of spellings([...inner, ...extra], script.dir, depth + 1)) found.add(form);
  return found;
}

/** Launchers peeled off, the program by its base name. */
function bare(argv: readonly string[]): string[] {
  let words = [...argv];
  for (;;) {
    const [head = '', ...rest] = words;
    const name = baseName(head);
    if (LAUNCHER.test(name)) {
      const at = rest.findIndex(word => !word.startsWith('-'));
      if (at < 0) return [name, ...rest];
      words = rest.slice(at);
    } else if (/^(?:pnpm|yarn|npm|bun)$/.test(name) && /^(?:exec|x)$/.test(rest[0] ?? '')) {
      words = rest.slice(1).filter((word, at) => !(at === 0 && word === '--'));
    } else if (ENVIRONMENT_TOOL.test(name) && /^(?:run|exec)$/.test(rest[0] ?? '') && rest.length > 1) {
      words = rest.slice(1);
    } else if (/^python(?:\d(?:\.\d+)?)?$/.test(name)) {
      if (rest[0] !== '-m' || rest[1] === undefined) return ['python', ...rest];
      // The tool by itself and as a module are one; the standard library's runners have no other name.
      return rest[1] === 'unittest' ? ['python', ...rest] : [rest[1], ...rest.slice(2)];
    } else return [name === 'py.test' ? 'pytest' : name, ...rest];
  }
}

function baseName(word: string): string {
  return word
    .replace(/^.*[/\\]/, '')
    .replace(/\.(?:exe|cmd|ps1)$/i, '')
    .replace(/^(mvn|gradle)w$/, '$1');
}

function withoutNeutral(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (NEUTRAL_PAIR.has(word)) i++;
    else if (!NEUTRAL.test(word) && word !== '--') kept.push(word);
  }
  return kept;
}

type Script = { dir: string; name: string; extra: string[] };

/** The package script a package manager's command starts; null where it starts none. */
function scriptOf(words: readonly string[], cwd: string): Script | null {
  const [manager = '', ...rest] = words;
  if (!MANAGER.test(manager)) return null;
  let folder = cwd;
  const plain: string[] = [];
  const extra: string[] = [];
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i]!;
    const [flag = '', value] = word.split(/=(.*)/s);
    if (word === '--') {
      extra.push(...rest.slice(i + 1));
      break;
    }
    if (/^(?:--prefix|--cwd|--dir|-C)$/.test(flag)) folder = resolve(folder, value ?? rest[++i] ?? '.');
    else if (word.startsWith('-')) extra.push(word);
    else plain.push(word);
  }
  const [verb = '', ...more] = plain;
  const name = RUNS.test(verb)
    ? (more.shift() ?? '')
    : /^(?:test|t|tst)$/.test(verb)
      ? manager === 'bun'
        ? ''
        : 'test'
      : manager === 'yarn' || manager === 'pnpm'
        ? verb
        : '';
  if (name === '') return null;
  const dir = packageFolder(folder);
  if (dir === null) return null;
  // yarn, pnpm and bun start an installed program by its bare name too; that is no script.
  if (scriptText(dir, name) === null && !/^(?:test|t|tst)$/.test(verb)) return null;
  return { dir, name, extra: [...more, ...extra] };
}

function packageFolder(from: string): string | null {
  for (let dir = from; ; dir = dirname(dir)) {
    if (statSync(join(dir, 'package.json'), { throwIfNoEntry: false })?.isFile()) return dir;
    if (dirname(dir) === dir) return null;
  }
}

function scripts(dir: string): Record<string, unknown> {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
    return isRecord(manifest) && isRecord(manifest.scripts) ? manifest.scripts : {};
  } catch {
    return {};
  }
}

function scriptText(dir: string, name: string): string | null {
  const text = scripts(dir)[name];
  return typeof text === 'string' ? text : null;
}

/** With `pretest` or `posttest` the script is more than its own command. */
function hasNeighbours(dir: string, name: string): boolean {
  const all = scripts(dir);
  return all[`pre${name}`] !== undefined || all[`post${name}`] !== undefined;
}

/** The words of one simple command without expansions; null for anything else. */
export function simpleWords(text: string): string[] | null {
  if (/[;|&<>$`(){}*?\n\\]/.test(text)) return null;
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(m => m[1] ?? m[2] ?? m[3]!);
  while (/^(?:cross-env|[A-Za-z_]\w*=.*)$/.test(words[0] ?? '')) words.shift();
  return words.length === 0 ? null : words;
}
