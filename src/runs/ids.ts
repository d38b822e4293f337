/** Run ids: fresh, sortable by the time they were made, and never a path. */

import { statePath } from '../state/paths.ts';
import { namesIn } from '../state/run-files.ts';
import { RunError } from './error.ts';

const TIME_DIGITS = 9;
const MOST = 100;
const FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const OWN = /^([0-9a-z]{9})-[0-9a-z]{7}$/;

/** A clock set back must not sort a new run below an old one: the time in the id never goes backwards. */
export function newRunId(root: string, now = Date.now()): string {
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  let last = 0;
  for (const name of namesIn(statePath(root, 'runs'))) {
    const digits = OWN.exec(name)?.[1];
    if (digits !== undefined) last = Math.max(last, Number.parseInt(digits, 36));
  }
  const time = Math.max(now, last + 1)
    .toString(36)
    .padStart(TIME_DIGITS, '0');
  const random = (randomBytes(5).readUIntBE(0, 5) % 36 ** 7).toString(36).padStart(7, '0');
  return `${time}-${random}`;
}

export function isRunId(id: string): boolean {
  return FORM.test(id) && !id.includes('..');
}

export function checkRunId(id: string): string {
  if (isRunId(id)) return id;
  const shown = JSON.stringify(id.length > 40 ? `${id.slice(0, 40)}...` : id);
  throw new RunError('bad-run-id', `run id ${shown} ${faultIn(id)}`);
}

function faultIn(id: string): string {
  if (id === '') return 'is empty: leave it out, and one is made';
  const odd = /[^A-Za-z0-9._-]/.exec(id)?.[0];
  if (odd !== undefined) return `holds ${JSON.stringify(odd)}: use letters, digits, ".", "_" and "-"`;
  if (id.length > MOST) return `has ${id.length} characters: use ${MOST} at most`;
  if (id.includes('..')) return 'holds "..": use single dots';
  return `begins with "${id[0]}": begin with a letter or a digit`;
}

/** The one id that is this, or begins with it. */
export function resolveRunId(ids: readonly string[], wanted: string): string {
  checkRunId(wanted);
  if (ids.includes(wanted)) return wanted;
  const found = ids.filter(id => id.startsWith(wanted));
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw new RunError('unknown-run', `run ${wanted}: there is no such run; see \`touchstone run list\``);
  throw new RunError('ambiguous-run', `run ${wanted}: ${found.length} runs begin so (${found.slice(0, 4).join(', ')})`);
}
