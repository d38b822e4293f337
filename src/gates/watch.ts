/**
 * What changed behind our back: state nobody of ours wrote, hook scripts and settings that no longer hold, PASS lines that
 * came into a report by a script. Compared with a small baseline after every call that could write; taken anew when a human
 * speaks. Stat first, hash what moved.
 */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type Project } from '../config/project.ts';
import { isAccepted } from '../config/trust.ts';
import type { Cause } from '../freeze/after.ts';
import { recordViolation } from '../freeze/violations.ts';
import { readJson, setAside, writeAtomic } from '../state/atomic.ts';
import { ledgerPath, readLedger, trimLedger } from '../state/ledger.ts';
import { PROJECT_FILE, STATE, stateDir, statePath } from '../state/paths.ts';
import { parseStamp, STATEFILE } from '../verdict/statefile.ts';
import { type Baseline, look, OFF, type Seen } from './watched.ts';

export type Finding = { path: string; what: string; rule: 'state-files' | 'hook-config' | 'pass-claim' };

/** Forged, these would open gates: what stands in their place is kept aside and reads as no evidence. */
const OPENERS =
  /^(?:verdict|accepted|freeze|freeze\.stat|frozen|broken)\.json$|^gates\/|^markers\/|^consent\/.*\.token$/;

/** What is now counts as known. */
export function takeBaseline(root: string, project: Project): void {
  const { size } = trimLedger(root);
  save(root, { ...look(root, project, read(root)), ledger: size });
}

export function hasBaseline(root: string): boolean {
  return read(root) !== null;
}

/** What nobody accounts for, put on record. The baseline moves on: each thing is told once. */
export function checkWatched(root: string, project: Project, proven: () => boolean, cause: Cause): Finding[] {
  const before = read(root);
  const lost = before === null && existsSync(statePath(root, MARK));
  if (before === null) {
    if (!lstatSync(stateDir(root), { throwIfNoEntry: false })) return [];
    takeBaseline(root, project);
    return lost ? [record(root, cause, GIT_LOST)] : [];
  }
  let { found, now } = compare(root, project, before, proven);
  // A process of ours may be between its line in the ledger and its write, on a loaded machine for a while.
  for (let tries = 0; tries < 8 && found.some(f => f.rule === 'state-files'); tries++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40 << Math.min(tries, 3));
    ({ found, now } = compare(root, project, before, proven));
  }
  for (const f of found) {
    const rel = f.path.startsWith(`${STATE}/`) ? f.path.slice(STATE.length + 1) : '';
    if (OPENERS.test(rel)) setAside(join(root, f.path));
    record(root, cause, f);
  }
  if (found.length > 0) takeBaseline(root, project);
  else if (JSON.stringify(now) !== JSON.stringify(before)) save(root, now);
  return found;
}

/** Says, from inside the state folder, that a baseline lies in the git folder. */
const MARK = 'watch.here';
const GIT_LOST: Finding = {
  path: '.git',
  what: 'was replaced, and with it its hooks and what was known of them',
  rule: 'hook-config',
};

function record(root: string, cause: Cause, f: Finding): Finding {
  const at = new Date().toISOString();
  recordViolation(root, { at, ...cause, rule: f.rule, path: f.path, what: `${f.path} ${f.what}`, restored: false });
  return f;
}

export function sayFindings(found: readonly Finding[]): string | null {
  if (found.length === 0) return null;
  const what = found.slice(0, 5).map(f => `${f.path} ${f.what}`);
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  const cure = found.some(f => f.rule === 'hook-config')
    ? 'undo it, or tell the user: the wiring is theirs (touchstone init)'
    : found.some(f => f.rule === 'state-files')
      ? 'leave the state alone; touchstone status says where things stand'
      : 'take the claim out, or prove it: touchstone verify';
  return `Touchstone ${found[0]!.rule}: ${what.join('; ')}${more}. It is on record. Next: ${cure}.`;
}

function compare(
  root: string,
  project: Project,
  before: Baseline,
  proven: () => boolean,
): { found: Finding[]; now: Baseline } {
  const { written, size } = readLedger(root, before.ledger);
  const now = { ...look(root, project, before), ledger: size };
  const found: Finding[] = [];
  for (const rel of union(before.state, now.state)) {
    const [had, has] = [before.state[rel], now.state[rel]];
    const expected = written.get(rel) ?? new Set([had?.[1] ?? null]);
    const what = stateChange(root, project, rel, expected, had, has);
    if (what !== null) found.push({ path: `${STATE}/${rel}`, what, rule: 'state-files' });
  }
  for (const rel of union(before.hooks, now.hooks)) {
    const [had, has] = [before.hooks[rel], now.hooks[rel]];
    if (had && has && had[1] === has[1]) continue;
    if (!had && !rel.startsWith('.claude/hooks')) continue;
    found.push({ path: rel, what: !had ? 'was added' : !has ? 'is gone' : 'was changed', rule: 'hook-config' });
  }
  for (const [file, keys] of Object.entries(before.settings)) {
    const kept = [...(now.settings[file] ?? [])];
    const lost = keys.filter(key => {
      const i = kept.indexOf(key);
      if (i >= 0) kept.splice(i, 1);
      return i < 0;
    });
    if (lost.length > 0)
      found.push({ path: file, what: `lost ${lost.length} of Touchstone's hooks`, rule: 'hook-config' });
  }
  for (const [file, keys] of Object.entries(now.settings)) {
    if (keys.includes(OFF) && !before.settings[file]?.includes(OFF))
      found.push({ path: file, what: 'sets disableAllHooks', rule: 'hook-config' });
  }
  if (now.hooksPath !== before.hooksPath && !/^$|^\.husky/.test(now.hooksPath))
    found.push({ path: '.git/config', what: 'sends git to other hooks', rule: 'hook-config' });
  if (now.hooksPath === '' && before.hooksPath !== '')
    found.push({ path: '.git/config', what: 'no longer names the hooks folder', rule: 'hook-config' });
  if (now.rules[1] !== before.rules[1] && !isAccepted(root, now.rules[1]))
    found.push({ path: PROJECT_FILE, what: 'was changed: nobody accepted these rules', rule: 'hook-config' });
  for (const [rel, [sig, claims]] of Object.entries(now.claims)) {
    if (before.claims[rel]?.[0] === sig) continue;
    const had = [...(before.claims[rel]?.[1] ?? [])];
    const gained = claims.find(claim => {
      const i = had.indexOf(claim);
      if (i >= 0) had.splice(i, 1);
      return i < 0;
    });
    if (gained !== undefined && !proven())
      found.push({ path: rel, what: `gained "${gained.slice(0, 60)}", which nothing proves`, rule: 'pass-claim' });
  }
  return { found, now };
}

/** Why a state file is not as we left it; null where it is, or where lowering a verdict by hand explains it. */
function stateChange(
  root: string,
  project: Project,
  rel: string,
  expected: ReadonlySet<string | null>,
  had: Seen | undefined,
  has: Seen | undefined,
): string | null {
  if (!has) {
    if (expected.has(null) || rel === 'broken.json' || rel.startsWith('consent/')) return null;
    return 'is gone';
  }
  const stat = lstatSync(statePath(root, rel), { throwIfNoEntry: false });
  if (stat && stat.mtimeMs > Date.now() + 60_000) return 'is dated into the future';
  if (stat && had?.[0] !== has[0] && (stat.mode & 0o200) === 0) return 'was made read-only';
  if (rel === '.') return null;
  if (expected.has(has[1])) return null;
  if (rel === STATEFILE) return handStamp(root, project);
  return expected.size === 1 && expected.has(null)
    ? 'was put there by something else'
    : 'was changed by something else';
}

function handStamp(root: string, project: Project): string | null {
  let text: string;
  try {
    text = readFileSync(statePath(root, STATEFILE), 'utf8');
  } catch {
    return 'cannot be read';
  }
  const stamp = parseStamp(text);
  if (stamp.kind !== 'stamp') return 'was written by something else';
  if (stamp.stamp.verdict === 'FAIL' || project.verdict.trust === 'any') return null;
  return 'says PASS, and no run of ours wrote it';
}

function union(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

function read(root: string): Baseline | null {
  const found = readJson<Baseline>(ledgerPath(root, 'watch.json'), v =>
    isRecord(v) &&
    v.schema === 1 &&
    isRecord(v.state) &&
    isRecord(v.hooks) &&
    isRecord(v.settings) &&
    isRecord(v.claims)
      ? null
      : 'is malformed',
  );
  return found.kind === 'value' ? found.value : null;
}

function save(root: string, baseline: Baseline): void {
  try {
    writeAtomic(ledgerPath(root, 'watch.json'), JSON.stringify(baseline));
    if (!existsSync(statePath(root, MARK)) && existsSync(stateDir(root))) writeAtomic(statePath(root, MARK), '');
  } catch {
    // A read-only git folder: every check starts from nothing, and the frozen set still holds.
  }
}
