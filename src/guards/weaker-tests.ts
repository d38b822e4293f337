/** Whether a file's new text makes the tests count less: fewer of them run, or their failure no longer shows. Pure text. */
import { isRecord } from '../config/project.ts';
import { holdsWhole, isSettingsFile, keepsDeciding } from '../freeze/settings.ts';
import { gainedBend, gainedMark, swaps } from './test-markers.ts';
import { json, settingsText } from './weaker-settings.ts';

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

const RUNNER = "it stands in the runner's own place";

export function weakerTests(change: TestChange): string | null {
  const { name, before, after, words, frozen } = change;
  if (frozen && isSettingsFile(name)) {
    const why = frozenSettings(change);
    if (why) return why;
  }
  const stub = !change.isTest && /(?:^|\/)\.?bin\/[^/]+$/.test(name);
  if (stub && after !== null) return RUNNER;
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
  if (/(?:^|\/)node_modules\//.test(name) && !change.isTest) return RUNNER;
  if (base === 'conftest.py' || isSetup(name, base))
    return gainedBend(base, before, after, true) ?? gainedMark(base, before, after);
  return (
    settingsText(name, base, before, after) ??
    (change.isTest ? (gainedMark(base, before, after) ?? gainedBend(base, before, after, false)) : null)
  );
}

/** What literal replacements in a program's words would make of the file. */
const swapped = (text: string, pairs: [string, string][]): string =>
  pairs.reduce((now, [from, to]) => (from === '' ? now : now.replaceAll(from, () => to)), text);

/** Beside the sources only a name that speaks of tests makes one. */
const isSetup = (name: string, base: string): boolean =>
  /setup|globalTeardown/i.test(base) &&
  /\.(?:[cm]?[jt]sx?|py|rb)$/.test(base) &&
  base !== 'setup.py' &&
  (name === base || /test|spec|global|jest|vitest|mocha|cypress|playwright/i.test(name));

function frozenSettings({ name, before, after, words }: TestChange): string | null {
  if (after !== undefined) {
    return keepsDeciding(name, before, after) ? null : 'it decides which tests run and how, and the tests are frozen';
  }
  const git = /^git\b/.test(words);
  return holdsWhole(name) && !git && words !== '' ? 'the whole file decides about frozen tests' : null;
}

/** What `npm pkg set a.b=c` and `npm pkg delete a.b` make of the manifest. */
function packageSet(before: string | null, words: string): string | null {
  const made = json(before ?? '{}');
  if (made === null) return null;
  const calls = words.split('\u0001').flatMap(call => {
    const [, , verb, ...args] = call.split('\0');
    return args.filter(arg => !arg.startsWith('-')).map((arg): [string | undefined, string] => [verb, arg]);
  });
  for (const [verb, arg] of calls) {
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
