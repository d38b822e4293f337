/** What runner settings say about which tests are looked for and left out, key by key. */
import { globBase } from '../config/glob.ts';
import { isRecord } from '../config/project.ts';
import { OTHER_TOOLS } from '../freeze/setting-parts.ts';
import { balancedValues, withoutObjects } from '../freeze/setting-text.ts';
import { weakerLine } from './test-script.ts';

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

export function weakerValues(had: Values, has: Values): string | null {
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

export function entries(value: string | undefined): string[] {
  if (value === undefined) return [];
  const quoted = [...value.matchAll(/(["'`])((?:\\.|(?!\1).)*)\1|\/((?:\\.|[^/\n\\])+)\/[a-z]*/g)].map(
    m => m[2] ?? m[3] ?? '',
  );
  return quoted.length > 0 ? quoted : value.split(/[\s,[\]]+/).filter(w => w !== '');
}

export function jsValues(text: string): Values {
  const own = withoutObjects(text, OTHER_TOOLS);
  const lines = balancedValues(own, [...LESS, ...MORE, ...FILTER, ...FLAGS]).split('\n');
  const out: Values = new Map();
  for (const line of lines) {
    const at = line.indexOf(': ');
    if (at > 0) out.set(line.slice(0, at), `${out.get(line.slice(0, at)) ?? ''}${line.slice(at + 2)}`);
  }
  return out;
}

/** `key = value` with the indented or bracketed lines that go on with it, other tools' sections aside. */
export function iniValues(text: string): Values {
  const out: Values = new Map();
  let key = '';
  let ours = true;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[\[?([\w.:" -]+)\]/.exec(line)?.[1];
    if (section !== undefined) ours = /test|nose|tox/i.test(section);
    if (!ours) continue;
    const pair = /^\s*([\w.-]+)\s*[=:]\s*(.*)$/.exec(line);
    if (pair && !/^\s+\S/.test(line)) {
      key = pair[1]!;
      out.set(key, pair[2]!);
    } else if (/^\s*\[[\w.:"-]+\]\s*$/.test(line)) key = '';
    else if (key && !/^\s*[#;]/.test(line)) out.set(key, `${out.get(key)} ${line.trim()}`);
  }
  return out;
}

export function flat(settings: Record<string, unknown>): Values {
  const out: Values = new Map();
  for (const [key, value] of Object.entries(settings)) {
    out.set(key, typeof value === 'string' ? value : JSON.stringify(value));
    if (isRecord(value)) for (const [k, v] of flat(value)) if (!out.has(k)) out.set(k, v);
  }
  return out;
}
