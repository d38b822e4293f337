/**
 * The part of a runner's settings that decides which tests run and how, as canonical text. A dependency bump or a coverage
 * option leaves it alone; a changed `scripts.test` or `testMatch` does not.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, record } from '../config/project.ts';
import { readState } from '../state/atomic.ts';
import { conftestParts } from './conftest.ts';
import { makeParts, mildOptions, onlyChecks, type Parts, scriptParts, takesOver } from './setting-parts.ts';
import { iniSections, stripJsonComments, tomlSections } from './setting-text.ts';

type Pick = (text: string, name: string) => string | Parts;

const JS_KEYS = [
  'testMatch',
  'testRegex',
  'testPathIgnorePatterns',
  'testNamePattern',
  'roots',
  'rootDir',
  'projects',
  'preset',
  'runner',
  'testRunner',
  'modulePathIgnorePatterns',
  'passWithNoTests',
  'update',
  'setupFiles',
  'setupFilesAfterEnv',
  'globalSetup',
  'globalTeardown',
  'testEnvironment',
  'moduleNameMapper',
  'transform',
  'resolver',
  'retry',
  'retries',
  'allowOnly',
  'forbidOnly',
  'dangerouslyIgnoreUnhandledErrors',
  'include',
  'exclude',
  'includeSource',
  'dir',
  'testDir',
  'testIgnore',
  'grep',
  'grepInvert',
  'workspace',
  'sequence',
  'spec',
  'ignore',
  'require',
  'files',
  'spec_dir',
  'spec_files',
  'helpers',
  'failWithoutAssertions',
  'reporters',
  'reporter',
  'forceExit',
  'errorOnDeprecated',
  'onUnhandledError',
  'snapshotResolver',
  'snapshotSerializers',
  'watch',
  'shard',
];

/** By file name at the project's top: the first that fits reads the file. */
const RULES: readonly [RegExp, Pick][] = [
  [/^package\.json$/, packageKeys],
  [/^(?:vitest\.workspace|jest\.setup|vitest\.setup)\.[cm]?[jt]s$/, whole],
  [
    /^(?:jest|vitest|vite|ava|uvu|rstest)\.(?:config|conf|workspace|projects)\.(?:[cm]?[jt]s|json)$/,
    text => scriptParts(text, JS_KEYS),
  ],
  [
    /^(?:playwright|karma|wdio|cypress|web-test-runner)\.(?:config|conf)\.(?:[cm]?[jt]s|json)$/,
    // The runner of other tests than the frozen ones, where it comes later than they.
    text => new Map([['rest', [...scriptParts(text, JS_KEYS)].flat().join('\n')]]),
  ],
  [/^\.mocharc(?:\.(?:[cm]?js|json|jsonc|ya?ml))?$/, whole],
  [/^tsconfig(?:\.[\w-]+)?\.json$/, tsconfigKeys],
  [/^deno\.jsonc?$/, denoKeys],
  [/^bunfig\.toml$/, text => tomlSections(text, /^test(?:\.|$)/)],
  [/^pytest\.ini$|^\.pytest\.ini$|^tox\.ini$/, pytestKeys],
  [/^conftest\.py$/, text => conftestParts(text) ?? whole(text)],
  [/^setup\.cfg$/, text => pytestKeys(iniSections(text, /^tool:pytest$|^unittest$|^nosetests$/))],
  [
    /^pyproject\.toml$/,
    text =>
      pytestKeys(
        tomlSections(
          text,
          /^tool\.(?:pytest|tox|nose|unittest|hatch\.envs\.[^.]*\.scripts|pdm\.scripts|poe\.tasks)(?:\.|$)/,
        ),
      ),
  ],
  [
    /^Cargo\.toml$/,
    text =>
      tomlSections(text, /^(?:lib|test|bench|features|profile\.test)(?:\.|$)/) +
      lines(text, /^\s*auto(?:tests|benches)\s*=/),
  ],
  [/^(?:\.config\/)?nextest\.toml$/, whole],
  [/^go\.mod$/, text => lines(text, /^\s*replace\b/)],
  [/^phpunit(?:\.dist)?\.xml(?:\.dist)?$|^phpunit\.xml$/, whole],
  [/^\.rspec$|^\.rspec-local$|^Rakefile$|^\.bats$|^\.busted$|^\.proverc$/, whole],
  [/^(?:GNU)?[Mm]akefile$/, makeParts],
  [/^\.npmrc$/, text => lines(text, /^\s*(?:script-shell|ignore-scripts|node-options)\s*=/)],
];

const PART = ' part ';

/** The deciding text by what it is held as: the file, and beside it each part that may come. */
function decidingParts(name: string, text: string): [string, string][] {
  const found = RULES.find(([pattern]) => pattern.test(name))?.[1](text, name);
  if (found === undefined) return [];
  if (typeof found === 'string') return [[name, found]];
  return [...found].map(([part, body]) => [part === '' ? name : name + PART + part, body]);
}

/** The file that a held part stands in. */
export const fileOf = (held: string): string => held.split(PART)[0]!;

/** A part that was not there before bends nothing. */
export const mayCome = (held: string): boolean => held.includes(PART);

/** Whether everything an edit could bend stays as it was. */
export function keepsDeciding(name: string, before: string | null, after: string | null): boolean {
  const had = new Map(before === null ? [] : decidingParts(name, before));
  const has = new Map(after === null ? [] : decidingParts(name, after));
  return [...new Set([...had.keys(), ...has.keys()])].every(
    held => (had.get(held) ?? '').trim() === (has.get(held) ?? '').trim() || (mayCome(held) && !had.has(held)),
  );
}

/** True where the file is about nothing else. */
export function holdsWhole(name: string): boolean {
  const rule = RULES.find(([pattern]) => pattern.test(name))?.[1];
  return rule === whole || rule === pytestKeys || name === 'conftest.py';
}

export function isSettingsFile(name: string): boolean {
  return RULES.some(([pattern]) => pattern.test(name));
}

/** Hash of the deciding part of every settings file at the project's top. */
export function settingsHashes(root: string): Record<string, { sha256: string }> {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const found: Record<string, { sha256: string }> = {};
  for (const name of settingsNames(root)) {
    const read = readState(join(root, name));
    const parts: [string, string][] =
      read.kind === 'text'
        ? decidingParts(name, read.text)
        : read.kind === 'unusable'
          ? [[name, `unusable: ${read.why}`]]
          : [];
    // A file that says nothing about tests may come, change and go.
    for (const [held, part] of parts)
      if (part.trim() !== '') found[held] = { sha256: createHash('sha256').update(part).digest('hex') };
  }
  return found;
}

/** Files at the project's top that may decide. */
export function settingsNames(root: string): string[] {
  try {
    return [...readdirSync(root), '.config/nextest.toml'].filter(isSettingsFile).sort();
  } catch {
    return [];
  }
}

/** How pytest prints and where it writes: none of it decides which tests run, or whether they fail. */
const PRINTING =
  /^(?:log_\w+|markers|minversion|cache_dir|junit_\w+|console_output_style|tmp_path_\w+|faulthandler_timeout|asyncio_default_fixture_loop_scope|asyncio_mode|verbosity_\w+|timeout\w*)$/;
const PRINTING_OPTIONS =
  /(?<=^|[\s"'])(?:-[qvsl]+|-r[a-zA-Z]+|--(?:tb|color|durations|durations-min|show-capture|junit-?xml|cov|cov-report|log-cli-level|capture|verbosity)=[^\s"',\]]+|-n[ =]?(?:auto|\d+)|--cov|--(?:showlocals|verbose|quiet|strict-markers|strict-config|no-header|no-summary))(?=[\s"',\]]|$)/g;

function pytestKeys(text: string): string {
  const out: string[] = [];
  let printing = false;
  let warnings = false;
  for (const line of text.split(/\r?\n/)) {
    const key = /^([\w-]+)\s*[=:]/.exec(line)?.[1];
    if (key !== undefined || line.startsWith('[')) {
      printing = key !== undefined && PRINTING.test(key);
      warnings = key === 'filterwarnings';
    }
    // A warning that is an error decides, one that is told or not told does not.
    if (!printing && !(warnings && !line.includes('error')) && !/^\s*(?:[#;].*)?$/.test(line))
      out.push(
        line
          .replace(PRINTING_OPTIONS, '')
          .replace(/(["'])\s*\1\s*,?/g, '')
          .replace(/\s+/g, ' ')
          .replace(/,?\s*\]/, ']')
          .trim(),
      );
  }
  return out.filter(line => !/^(?:addopts = ?(?:\[ ?\])?)?$/.test(line)).join('\n');
}

function whole(text: string): string {
  return text.replace(/\r\n/g, '\n').trimEnd();
}

function lines(text: string, pattern: RegExp): string {
  return text
    .split(/\r?\n/)
    .filter(line => pattern.test(line))
    .join('\n');
}

/** The test script and every script it calls, and the settings runners keep in package.json. */
function packageKeys(text: string): string {
  const raw = json(text);
  if (raw === null) return `unparsable\n${text}`;
  const scripts = record(raw.scripts);
  const wanted = new Set<string>();
  const queue = ['pretest', 'test', 'posttest'];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const script = scripts[name];
    if (wanted.has(name) || typeof script !== 'string') continue;
    if (/^(?:pre|post)test$/.test(name) && onlyChecks(script)) continue;
    wanted.add(name);
    for (const call of script.matchAll(
      /\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+|-s\s+)*([\w:.-]+)|\b(?:run-s|run-p|npm-run-all)\s+([\w:. *-]+)/g,
    )) {
      for (const called of (call[1] ?? call[2] ?? '').split(/\s+/)) queue.push(called, `pre${called}`, `post${called}`);
    }
  }
  const kept = Object.fromEntries([...wanted].sort().map(name => [name, mildOptions(String(scripts[name]))]));
  const tools = ['jest', 'mocha', 'ava', 'vitest', 'tap', 'jasmine', 'uvu'].filter(tool => tool in raw);
  const settings = tools
    .map((tool): [string, unknown] => [tool, isRecord(raw[tool]) ? own(tool, raw[tool]) : raw[tool]])
    .filter(([, value]) => !isRecord(value) || Object.keys(value).length > 0);
  return Object.keys(kept).length + settings.length === 0
    ? ''
    : JSON.stringify({ scripts: kept, ...Object.fromEntries(settings) });
}

/** Keys that decide; runners whose keys are few and short are held by all of them. */
function own(tool: string, settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([key]) => (/^(?:jest|vitest)$/.test(tool) ? JS_KEYS.includes(key) : !/^(?:collect)?coverage/i.test(key)))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** An alias may come. So may a file for another purpose than the tests', which nothing has read so far. */
function tsconfigKeys(text: string, name: string): string | Parts {
  const raw = json(stripJsonComments(text));
  if (raw === null) return `unparsable\n${text}`;
  const { baseUrl, paths, rootDirs } = record(raw.compilerOptions);
  const parts: Parts = new Map();
  if (baseUrl !== undefined) parts.set('baseUrl', JSON.stringify(baseUrl));
  const names = Object.keys(record(paths));
  const narrow = names.filter(from => takesOver(from, names));
  for (const [from, to] of Object.entries(record(paths)))
    if (!narrow.includes(from)) parts.set(`paths ${from}`, JSON.stringify(to));
  const taken = narrow.length === 0 ? undefined : narrow.map(from => [from, record(paths)[from]]);
  const rest = { rootDirs, extends: raw.extends, paths: taken };
  const body = Object.values(rest).every(v => v === undefined) ? '' : JSON.stringify(rest);
  return parts.set(name === 'tsconfig.json' ? '' : 'rest', body);
}

function denoKeys(text: string): string {
  const raw = json(stripJsonComments(text));
  if (raw === null) return `unparsable\n${text}`;
  const kept = { test: raw.test, task: record(raw.tasks).test, exclude: raw.exclude };
  return Object.values(kept).every(v => v === undefined) ? '' : JSON.stringify(kept);
}

function json(text: string): Record<string, unknown> | null {
  try {
    const raw: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(raw) ? raw : null;
  } catch {
    return null;
  }
}
