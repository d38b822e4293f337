/** Files that a sweep over folders is told to leave alone: by its own options, by `!pattern`, by an ignore file. */
import { ANY_CHAR, matcher } from './glob.ts';
import { type Call, fileText, type Machine, path } from './machine.ts';
import { activate, isKnown } from './marks.ts';

type Test = (rel: string) => boolean;

/** A pattern of the kind that ignore files and `--exclude` take: a name anywhere, a folder, a path. */
export function ignores(pattern: string): Test {
  const text = pattern.replace(/^\.?\//, '').replace(/\/?(?:\*\*)?$/, '');
  const glob = matcher(activate(text.replace(/\*\*\//g, '*')), ANY_CHAR);
  const inside = matcher(activate(`*/${text}/*`.replace(/\*\*\//g, '*')), ANY_CHAR);
  return rel => glob(rel) || glob(rel.slice(rel.lastIndexOf('/') + 1)) || inside(`/${rel}/`);
}

/** Some tools take an expression instead. */
function matches(pattern: string): Test {
  try {
    const regex = new RegExp(pattern);
    return rel => regex.test(`/${rel}`);
  } catch {
    return () => false;
  }
}

/** Undefined where nothing is left out. The test takes absolute paths. */
export function leftOut(m: Machine, call: Call, patterns: string[], files: string[]): Test | undefined {
  const cwd = call.scope.cwd[0]!;
  const out: Test[] = patterns.flatMap(text =>
    text.split(',').flatMap(one => (one === '' ? [] : [ignores(one), matches(one)])),
  );
  const kept: Test[] = [];
  for (const file of files) {
    const text = fileText(m, path(m, call.scope, file));
    for (const line of text !== null && isKnown(text) ? text.split(/\r?\n/) : []) {
      if (!/^\s*(?:#|$)/.test(line)) (line.startsWith('!') ? kept : out).push(ignores(line.trim().replace(/^!/, '')));
    }
  }
  if (out.length === 0) return undefined;
  return file => {
    const rel = file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
    return out.some(test => test(rel)) && !kept.some(test => test(rel));
  };
}
