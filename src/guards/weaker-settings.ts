/** Whether a settings file's new text makes the tests count less, kind by kind of file. */
import { isRecord, record } from '../config/project.ts';
import { onlyChecks } from '../freeze/setting-parts.ts';
import { makeRecipe, stripJsonComments } from '../freeze/setting-text.ts';
import { entries, flat, iniValues, jsValues, weakerValues } from './setting-values.ts';
import { weakerLine, weakerScript } from './test-script.ts';

export function settingsText(name: string, base: string, before: string | null, after: string): string | null {
  if (base === 'package.json') return packageText(before, after);
  if (/^(?:GNU)?[Mm]akefile$/.test(base)) {
    const recipe = (text: string) => makeRecipe(text, /^(?:test|tests|check|verify)$/);
    return weakerRecipe(recipe(before ?? ''), recipe(after));
  }
  // A new one beside the project's own is for another purpose than the tests'.
  if (/^tsconfig[\w.-]*\.json$/.test(base))
    return name === 'tsconfig.json' || before !== null ? tsconfig(before, after) : null;
  if (/^\.github\/workflows\/|^\.gitlab-ci\.yml$/.test(name)) return ci(before ?? '', after);
  if (/^\.npmrc$|^\.yarnrc/.test(base)) return gainedLine(before, after, /^\s*script-?shell\s*[=:]/i, 'script-shell');
  if (/^\.(?:bash|zsh|profile)/.test(base))
    return gainedLine(
      before,
      after,
      /^\s*(?:alias\s+|function\s+)?(?:npm|npx|pnpm|yarn|node|jest|vitest|mocha|pytest|python3?|go|cargo|make)\s*(?:=|\(\s*\)|\{)/,
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
    const why = name !== 'test' && onlyChecks(to) ? null : weakerScript(from ?? '', to);
    if (why) return `scripts.${name} ${why}`;
  }
  for (const tool of ['jest', 'vitest', 'mocha', 'ava']) {
    const [from, to] = [record(had?.[tool]), record(has[tool])].map(flat);
    const why = weakerValues(from!, to!);
    if (why) return why;
  }
  return null;
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

export function json(text: string): Record<string, unknown> | null {
  try {
    const raw: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(raw) ? raw : null;
  } catch {
    return null;
  }
}
