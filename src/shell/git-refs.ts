/** Plumbing that moves a branch or evidence without a hook being asked. */

import type { State } from './git-config.ts';
import { type Machine, touch } from './machine.ts';
import { isKnown, UNKNOWN } from './marks.ts';

/** Where evidence is kept as git objects (design, section 9). */
const EVIDENCE = /^\+?refs\/touchstone(?:\/|$)/;

/** Refs that a plumbing command sets or deletes; `stdin` is what `--stdin` gives it. */
export function plumbing(
  m: Machine,
  verb: string,
  operands: string[],
  has: (names: string) => boolean,
  stdin: string,
  state: State,
): void {
  const via = `git ${verb}`;
  const moved: string[] = [];
  if (verb === 'update-ref') {
    if (has('stdin')) {
      for (const line of stdin.split(/[\n\0]/))
        moved.push(/^(?:update|create|delete|symref-\w+)\s+"?([^\s"]+)/.exec(line)?.[1] ?? line);
    } else moved.push(operands[0] ?? '');
  } else if (verb === 'symbolic-ref' && (operands.length > 1 || has('d delete'))) moved.push(operands[0] ?? '');
  const listed = moved.length === 0 || !moved.every(isKnown);
  if (verb === 'update-ref' && listed && m.invocations.some(i => i.argv.some(word => EVIDENCE.test(word))))
    evidence(m, '', state, via);
  for (const ref of moved) {
    if (EVIDENCE.test(ref)) evidence(m, ref, state, via);
    else if (isOwn(m, state) && (ref === 'HEAD' || ref === branch(m))) skipped(m, verb, `it moves ${ref} past them`);
  }
  if (verb === 'replace' && operands.length > 1 && !has('d delete l list') && isOwn(m, state))
    skipped(m, verb, 'it puts another object in the place of one');
}

/** Evidence in a push: it is shared by fetching it, and nobody but Touchstone sets or deletes it. */
export function pushed(m: Machine, refspecs: readonly string[], state: State): void {
  for (const spec of refspecs) {
    const named = spec
      .replace(/^\+/, '')
      .split(':')
      .find(ref => EVIDENCE.test(ref));
    if (named !== undefined) evidence(m, named, state, 'git push');
  }
}

const evidence = (m: Machine, ref: string, state: State, via: string): void =>
  touch(m, state.scope, 'write', `${m.root}/.git/touchstone/${ref.replace(/^\+?refs\/touchstone\/?/, '')}`, via);

function skipped(m: Machine, verb: string, how: string): void {
  m.hookSkips.push({ verb, how, ...(m.span ? { span: m.span } : {}) });
}

/** The branch that HEAD names. */
const branch = (m: Machine): string | undefined =>
  /^ref: (\S+)/.exec(m.tree.readText(`${m.root}/.git/HEAD`) ?? '')?.[1];

/** A repository in a folder below, or elsewhere, has branches of its own. */
function isOwn(m: Machine, state: State): boolean {
  const at = state.scope.cwd[0] ?? UNKNOWN;
  if (at !== m.root && !at.startsWith(`${m.root}/`)) return false;
  for (let dir = at; dir.length > m.root.length; dir = dir.slice(0, dir.lastIndexOf('/')))
    if (m.tree.exists(`${dir}/.git`)) return false;
  return true;
}
