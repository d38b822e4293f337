/**
 * Settings that may grow without bending what was proven: a further pattern of tests, a new alias, one more thing to make
 * before the tests. Each is held by itself beside the rest, so that it may come and may not change or go.
 */
import { balancedValues, makeRecipe, withoutObjects } from './setting-text.ts';

/** By the name of the part; the empty name is the rest. */
export type Parts = Map<string, string>;

/** Lists that only ever let more tests in. */
const WIDENS = /^(?:testMatch|include|roots|projects)$/;
/** Tools of the same file that decide nothing about tests. */
export const OTHER_TOOLS = ['coverage', 'optimizeDeps', 'build', 'server', 'preview', 'css', 'ssr', 'esbuild'];
const LITERAL = /(["'`])((?:\\.|(?!\1).)*)\1/g;
/** A name out of a registry, not a file of the project's own. */
const PACKAGE = /^(?:@[\w-]+\/)?[a-zA-Z][\w-]*(?:\/[\w-]+)*$/;

/** A JavaScript or JSON file of settings, as `key: value` lines. */
export function scriptParts(text: string, keys: readonly string[]): Parts {
  return valueParts(balancedValues(withoutObjects(text, OTHER_TOOLS), keys).split('\n'));
}

export function valueParts(lines: readonly string[]): Parts {
  const rest: string[] = [];
  const parts: Parts = new Map();
  for (const line of lines) {
    const [, key = '', value = ''] = /^(\w+): (.*)$/s.exec(line) ?? [];
    const list = WIDENS.test(key) ? literalList(value) : null;
    const aliases = key === 'moduleNameMapper' ? literalPairs(value) : null;
    if (list) {
      rest.push(`${key}: []`);
      for (const entry of list) parts.set(`${key} ${entry}`, entry);
    } else if (aliases) {
      const names = aliases.map(([from]) => from);
      for (const [from, to] of aliases)
        if (isAlias(from) && !takesOver(from, names)) parts.set(`${key} ${from}`, to);
        else rest.push(`${key} ${from}: ${to}`);
    } else if (!isMild(key, value)) rest.push(line);
  }
  return parts.set('', rest.join('\n'));
}

/** Reporters, transforms and environments by the name of a package, and nothing of the project's own. */
function isMild(key: string, value: string): boolean {
  if (/^(?:reporters?|testEnvironment)$/.test(key)) return literals(value).every(name => PACKAGE.test(name));
  if (key !== 'transform') return false;
  const pairs = literalPairs(value);
  return pairs?.every(([, to]) => PACKAGE.test(to)) ?? false;
}

const literals = (value: string): string[] => [...value.matchAll(LITERAL)].map(found => found[2]!);

/** Entries of a list of plain texts, none of which takes anything away; null for every other value. */
function literalList(value: string): string[] | null {
  const inner = /^\[(.*)\]$/s.exec(value)?.[1];
  if (inner === undefined || inner.replace(LITERAL, '').replace(/[\s,]/g, '') !== '') return null;
  const list = literals(inner);
  return list.some(entry => entry.startsWith('!')) ? null : list;
}

function literalPairs(value: string): [string, string][] | null {
  const inner = /^\{(.*)\}$/s.exec(value)?.[1];
  if (inner === undefined || !/^[\s,:]*$/.test(inner.replace(LITERAL, ''))) return null;
  const words = literals(inner);
  if (words.length % 2 !== 0) return null;
  return words.flatMap((from, i) => (i % 2 === 0 ? [[from, words[i + 1]!] as [string, string]] : []));
}

/** `^@/(.*)$`, `\.css$`: no pattern that a path beside the test fits. */
const isAlias = (pattern: string): boolean =>
  /^\^[@~#\w][^|]*$/.test(pattern) ||
  /^(?:\^?\.[*+])?\\+\.[()?:|\w]*(?:css|less|scss|sass|svg|png|jpe?g|gif)[()?:|\w]*\$$/.test(pattern);

/** Beneath an open alias a narrower one would resolve what that one resolved so far: `^@/calc$` beside `^@/(.*)$`. */
export function takesOver(alias: string, all: readonly string[]): boolean {
  const plain = (one: string): string => /^\^?([^*+.()[\]\\$|]*)/.exec(one)![1]!;
  const open = (one: string): boolean => !/^\$?$/.test(one.replace(/^\^/, '').slice(plain(one).length));
  return all.some(
    other => other !== alias && open(other) && plain(other) !== '' && plain(alias).startsWith(plain(other)),
  );
}

const TARGETS = /^(?:test|tests|check|verify)$/;

/** Recipe and prerequisites of the targets that run tests. */
export function makeParts(text: string): Parts {
  const rest: string[] = [];
  const parts: Parts = new Map();
  for (const line of makeRecipe(text, TARGETS).split('\n')) {
    const rule = /^([^\s:#=][^:=]*:)(?!=)([^;#]*)(.*)$/.exec(line);
    rest.push(rule ? rule[1]! + rule[3]! : mildOptions(line));
    for (const need of (rule?.[2] ?? '').split(/\s+/).filter(Boolean)) parts.set(`${rule?.[1]} ${need}`, need);
  }
  return parts.set('', rest.join('\n'));
}

/** Options of a test command that only say how it prints, how fast it runs or what it counts beside the tests. */
export const mildOptions = (line: string): string =>
  line.replace(
    /\s+--(?:verbose|silent|ci|colors?|no-colors?|runInBand|no-cache|detectOpenHandles|logHeapUsage|watchAll=false|max-?workers=[\w%]+|coverage(?:=true|Reporters=\w+)?)(?=\s|$)/gi,
    '',
  );

const CHECK =
  /^(?:(?:npx|pnpm exec|yarn)\s+)?(?:tsc|vue-tsc|eslint|prettier|biome|stylelint|tslint|oxlint)(?:\s+(?!--?(?:fix|write|apply|w|o|outDir|outFile|output-file|fix-dangerously)\b)[\w@./*{},='":-]+)*$|^(?:npm|pnpm|yarn)\s+(?:run\s+)?(?:-s\s+)?(?:lint|build|compile|typecheck|type-check|format:check|check:types)$/;

/** What is looked at or built before and after the tests, and changes none: it can only add a failure. */
export const onlyChecks = (script: string): boolean => script.split('&&').every(step => CHECK.test(step.trim()));
