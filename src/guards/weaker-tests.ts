/** Whether a file's new text makes the tests count less: fewer of them run, or their failure no longer shows. Pure text. */
import { globBase } from '../config/glob.ts';
import { isRecord, record } from '../config/project.ts';
import { balancedValues, makeRecipe, stripJsonComments } from '../freeze/setting-text.ts';
import { holdsWhole, isSettingsFile, keepsDeciding } from '../freeze/settings.ts';
import { gainedBend, gainedMark, swaps } from './test-markers.ts';
import { weakerLine, weakerScript } from './test-script.ts';

export type TestChange = {
  /** Relative to the root, or absolute outside of it. */
  name: string;
  before: string | null;
  /** Null: the file goes. Undefined: a command writes it, and its text does not tell what. */
  after: string | null | undefined;
  /** The words of the command that writes it. */
  words: string;
  isTest: boolean;
  /** Runner settings are held by a freeze, and nobody opened this one. */
  frozen: boolean;
};

/** Words that name the deciding parts of a settings file, for results that cannot be known. */
const DECIDES =
  /scripts["'\]]*[.[]+["']?(?:pre|post)?test(?![:\w-])|"(?:pre|post)?test"\s*:|["'.]jest\.|\btest(?:Match|Regex|PathIgnorePatterns)\b|\bpassWithNoTests\b|\btool[.:]pytest\b|\b(?:addopts|testpaths|norecursedirs|collect_ignore)\b|\bscript-shell\b/;

export function weakerTests(change: TestChange): string | null {
  const { name, before, after, words, frozen } = change;
  if (frozen && isSettingsFile(name)) {
    const why = frozenSettings(change);
    if (why) return why;
  }
  if (after === undefined) {
    if (/^\w+\0pkg\0/.test(words)) {
      const made = packageSet(before, words);
      return made === null ? null : weakerTests({ ...change, after: made, words: '' });
    }
    const likely = before === null ? null : swapped(before, swaps(words));
    if (likely !== null && likely !== before) {
      const why = weakerTests({ ...change, after: likely, words: '' });
      if (why) return why;
    }
    if (!change.isTest) return DECIDES.test(words) ? 'the command names what decides which tests run' : null;
    return (
      swaps(words)
        .map(([from, to]) => gainedMark(name, from, to))
        .find(kind => kind !== null) ?? null
    );
  }
  if (after === null) return null;
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (/(?:^|\/)\.?bin\/[^/]+$|(?:^|\/)node_modules\//.test(name) && !change.isTest)
    return "it stands in the runner's own place";
  if (base === 'conftest.py' || isSetup(base))
    return gainedBend(base, before, after, true) ?? gainedMark(base, before, after);
  return (
    settingsText(name, base, before, after) ??
    (change.isTest ? (gainedMark(base, before, after) ?? gainedBend(base, before, after, false)) : null)
  );
}

/** What literal replacements in a program's words would make of the file. */
const swapped = (text: string, pairs: [string, string][]): string =>
  pairs.reduce((now, [from, to]) => (from === '' ? now : now.replaceAll(from, () => to)), text);

const isSetup = (base: string): boolean =>
  /setup|globalTeardown/i.test(base) && /\.(?:[cm]?[jt]sx?|py|rb)$/.test(base) && base !== 'setup.py';

function frozenSettings({ name, before, after, words }: TestChange): string | null {
  if (after !== undefined) {
    return keepsDeciding(name, before, after) ? null : 'it decides which tests run and how, and the tests are frozen';
  }
  const git = /^git\b/.test(words);
  return holdsWhole(name) && !git && words !== '' ? 'the whole file decides about frozen tests' : null;
}

function settingsText(name: string, base: string, before: string | null, after: string): string | null {
  if (base === 'package.json') return packageText(before, after);
  if (/^(?:GNU)?[Mm]akefile$/.test(base)) {
    const recipe = (text: string) => makeRecipe(text, /^(?:test|tests|check|verify)$/);
    return weakerRecipe(recipe(before ?? ''), recipe(after));
  }
  if (/^tsconfig[\w.-]*\.json$/.test(base)) return tsconfig(before, after);
  if (/^\.github\/workflows\/|^\.gitlab-ci\.yml$/.test(name)) return ci(before ?? '', after);
  if (/^\.npmrc$|^\.yarnrc/.test(base)) return gainedLine(before, after, /^\s*script-?shell\s*[=:]/i, 'script-shell');
  if (/^\.(?:bash|zsh|profile)/.test(base))
    return gainedLine(
      before,
      after,
      /^\s*(?:alias\s+|function\s+)?(?:npm|npx|pnpm|yarn|node|jest|vitest|mocha|pytest|python3?|go|cargo|make)\s*(?:=|\(\))/,
      'another program in the place of the runner',
    );
  if (/\.(?:ini|cfg|toml)$/.test(base)) return weakerValues(iniValues(before ?? ''), iniValues(after));
  if (/\.(?:[cm]?[jt]s|json|jsonc|ya?ml)$/.test(base) && /config|conf\b|workspace|projects|mocharc/.test(base))
    return weakerValues(jsValues(before ?? ''), jsValues(after));
  return null;
}

function packageText(before: string | null, after: string): string | null {
  const had = json(before ?? '{}');
  const has = json(after);
  if (has === null) return had === null ? null : 'it is no JSON any more';
  const scripts = [record(had?.scripts), record(has.scripts)] as const;
  for (const name of ['pretest', 'test', 'posttest']) {
    const [from, to] = scripts.map(s => (typeof s[name] === 'string' ? s[name] : undefined));
    if (from === to) continue;
    if (to === undefined) {
      if (name === 'test') return 'it removes scripts.test';
      continue;
    }
    const why = weakerScript(from ?? '', to);
    if (why) return `scripts.${name} ${why}`;
  }
  for (const tool of ['jest', 'vitest', 'mocha', 'ava']) {
    const [from, to] = [record(had?.[tool]), record(has[tool])].map(flat);
    const why = weakerValues(from!, to!);
    if (why) return why;
  }
  return null;
}

/** Values by key: what each list names, in quotes or bare. */
type Values = Map<string, string>;

const LESS = [
  'testMatch',
  'testRegex',
  'roots',
  'projects',
  'include',
  'testDir',
  'dir',
  'spec',
  'files',
  'spec_dir',
  'spec_files',
  'testpaths',
  'python_files',
  'python_functions',
  'python_classes',
];
const MORE = [
  'testPathIgnorePatterns',
  'modulePathIgnorePatterns',
  'exclude',
  'testIgnore',
  'grepInvert',
  'ignore',
  'norecursedirs',
  'collect_ignore',
  'collect_ignore_glob',
];
const FILTER = ['testNamePattern', 'grep', 'fgrep', 'shard'];
const FLAGS = ['passWithNoTests', 'dangerouslyIgnoreUnhandledErrors', 'xpass'];
/** Never tests of the project's own. */
const APART =
  /node_modules|\bdist\b|\bbuild\b|\bcoverage\b|\.git\b|\bvendor\b|\btmp\b|\.next\b|\.cache\b|\bout\b|\be2e\b|playwright|cypress|\.idea|\.venv|venv|__pycache__/;

function weakerValues(had: Values, has: Values): string | null {
  for (const key of FLAGS)
    if (/^true\b|^1$/.test(has.get(key) ?? '') && had.get(key) !== has.get(key)) return `it sets ${key}`;
  for (const key of FILTER) if (has.has(key) && had.get(key) !== has.get(key)) return `it runs a part only (${key})`;
  for (const key of MORE) {
    const old = new Set(entries(had.get(key)));
    const more = entries(has.get(key)).find(e => !old.has(e) && !APART.test(e));
    if (more !== undefined) return `it leaves ${more} out (${key})`;
  }
  for (const key of LESS) {
    const now = entries(has.get(key));
    const lost = has.has(key) ? entries(had.get(key)).find(e => !now.some(n => n === e || covers(n, e))) : undefined;
    if (lost !== undefined) return `${lost} is looked for no more (${key})`;
  }
  const options = (text: string | undefined) => weakerLine(text ?? '');
  if (has.get('addopts') !== had.get('addopts')) {
    const why = options(has.get('addopts'));
    if (why !== null && why !== options(had.get('addopts'))) return `addopts ${why}`;
  }
  return null;
}

function covers(wider: string, narrower: string): boolean {
  const base = globBase(wider.replace(/^<rootDir>\//, ''));
  return wider.endsWith('**') && globBase(narrower.replace(/^<rootDir>\//, '')).startsWith(base);
}

function entries(value: string | undefined): string[] {
  if (value === undefined) return [];
  const quoted = [...value.matchAll(/(["'`])((?:\\.|(?!\1).)*)\1|\/((?:\\.|[^/\n\\])+)\/[a-z]*/g)].map(
    m => m[2] ?? m[3] ?? '',
  );
  return quoted.length > 0 ? quoted : value.split(/[\s,[\]]+/).filter(w => w !== '');
}

function jsValues(text: string): Values {
  const lines = balancedValues(text, [...LESS, ...MORE, ...FILTER, ...FLAGS]).split('\n');
  const out: Values = new Map();
  for (const line of lines) {
    const at = line.indexOf(': ');
    if (at > 0) out.set(line.slice(0, at), `${out.get(line.slice(0, at)) ?? ''}${line.slice(at + 2)}`);
  }
  return out;
}

/** `key = value` with the indented or bracketed lines that go on with it. */
function iniValues(text: string): Values {
  const out: Values = new Map();
  let key = '';
  for (const line of text.split(/\r?\n/)) {
    const pair = /^\s*([\w.-]+)\s*[=:]\s*(.*)$/.exec(line);
    if (pair && !/^\s+\S/.test(line)) {
      key = pair[1]!;
      out.set(key, pair[2]!);
    } else if (/^\s*\[[\w.:"-]+\]\s*$/.test(line)) key = '';
    else if (key && !/^\s*[#;]/.test(line)) out.set(key, `${out.get(key)} ${line.trim()}`);
  }
  return out;
}

function flat(settings: Record<string, unknown>): Values {
  const out: Values = new Map();
  for (const [key, value] of Object.entries(settings)) {
    out.set(key, typeof value === 'string' ? value : JSON.stringify(value));
    if (isRecord(value)) for (const [k, v] of flat(value)) if (!out.has(k)) out.set(k, v);
  }
  return out;
}

function weakerRecipe(had: string, has: string): string | null {
  if (had === has || had === '') return null;
  if (has === '') return 'the test target goes';
  const body = (text: string) =>
    text
      .split('\n')
      .filter(line => /^\t/.test(line))
      .map(line => line.trim());
  for (const line of body(has)) {
    if (body(had).includes(line)) continue;
    if (/^[@+]*-/.test(line)) return 'make would go on after a failure';
    const why = weakerScript(body(had).join(' && '), line.replace(/^[@+]+/, ''), false);
    if (why) return `the test target ${why}`;
  }
  return body(had).length > 0 && body(has).length === 0 ? 'the test target runs nothing' : null;
}

function tsconfig(before: string | null, after: string): string | null {
  const [had, has] = [before ?? '{}', after].map(text => json(stripJsonComments(text)) ?? {});
  const about = (settings: unknown, key: string) => flat(record(settings)).get(key);
  const tests = (key: string, settings: unknown) => entries(about(settings, key)).filter(e => /test|spec/i.test(e));
  const lost =
    about(has, 'include') === undefined
      ? undefined
      : tests('include', had).find(e => !entries(about(has, 'include')).includes(e));
  if (lost !== undefined) return `${lost} is looked for no more (include)`;
  const more = tests('exclude', has).find(e => !tests('exclude', had).includes(e));
  return more === undefined ? null : `it leaves ${more} out (exclude)`;
}

const TEST_STEP =
  /\b(?:npm|pnpm|yarn|bun|make|cargo|go|dotnet|mvn|gradle)\b.*\btest|\b(?:jest|vitest|mocha|pytest|phpunit|rspec|tox|touchstone)\b/;

/** Steps of a pipeline that run tests: their failure must stay one. */
function ci(before: string, after: string): string | null {
  const steps = (text: string) => text.split(/^(?=\s*- )/m).filter(step => TEST_STEP.test(step));
  const old = steps(before);
  for (const step of steps(after)) {
    if (old.includes(step)) continue;
    if (/^\s*(?:continue-on-error|allow_failure):\s*true\b/m.test(step))
      return 'the pipeline would go on after a failed test';
    const line = step.split('\n').find(l => TEST_STEP.test(l) && weakerLine(l) !== null && !before.includes(l));
    if (line !== undefined) return `a test step of the pipeline ${weakerLine(line)}`;
  }
  return null;
}

function gainedLine(before: string | null, after: string, pattern: RegExp, kind: string): string | null {
  const lines = (text: string) => text.split(/\r?\n/).filter(l => pattern.test(l));
  const old = new Set(lines(before ?? ''));
  return lines(after).some(l => !old.has(l)) ? `it sets ${kind}` : null;
}

/** What `npm pkg set a.b=c` and `npm pkg delete a.b` make of the manifest. */
function packageSet(before: string | null, words: string): string | null {
  const made = json(before ?? '{}');
  if (made === null) return null;
  const [, , verb, ...args] = words.split('\0');
  for (const arg of args.filter(a => !a.startsWith('-'))) {
    const cut = verb === 'set' ? arg.indexOf('=') : arg.length;
    if (cut < 0) continue;
    const path = arg
      .slice(0, cut)
      .replace(/\[(\w*)\]/g, '.$1')
      .split('.')
      .filter(p => p !== '');
    let at: Record<string, unknown> = made;
    for (const part of path.slice(0, -1)) {
      if (!isRecord(at[part])) at[part] = {};
      at = at[part] as Record<string, unknown>;
    }
    const last = path[path.length - 1];
    if (last === undefined || last === '__proto__') continue;
    if (verb === 'set') at[last] = arg.slice(cut + 1);
    else delete at[last];
  }
  return JSON.stringify(made);
}

function json(text: string): Record<string, unknown> | null {
  try {
    const raw: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(raw) ? raw : null;
  } catch {
    return null;
  }
}
