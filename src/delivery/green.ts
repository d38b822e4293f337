/** Why a tree may not leave, in terms of what the project calls proof: its suite, or, without one, its green checks. */
import { readdirSync } from 'node:fs';
import { isRecord, type Project, readProject } from '../config/project.ts';
import { isAccepted } from '../config/trust.ts';
import { readJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import { freshness } from '../verdict/freshness.ts';
import { readGreens } from '../verdict/green.ts';
import { standing } from '../verdict/standing.ts';
import { measureTree } from '../verdict/tree.ts';

export type Green =
  /** The project asks for no proof: neither a suite nor a check is configured. */
  | { kind: 'none-asked' }
  /** `cure`: the command that would prove a tree it says something of. */
  | { kind: 'asked'; why(fingerprint: string): string | null; cure(fingerprint: string): string };

export function greenOf(root: string, project: Project): Green {
  const read = readProject(root);
  const always = (why: string, cure: string): Green => ({ kind: 'asked', why: () => why, cure: () => cure });
  if (read.kind === 'corrupt') return always(`.claude/project.json ${read.why}`, 'touchstone config validate');
  if (project.test.cmd.trim() !== '')
    return { kind: 'asked', why: bySuite(root, project), cure: () => 'touchstone verify' };
  const ids = greenIds(project);
  if (ids.length === 0)
    return read.kind === 'missing' ? always('the rules file is gone', 'touchstone doctor') : { kind: 'none-asked' };
  const open = (print: string) => ids.filter(id => !checkPassed(root, id, print));
  return {
    kind: 'asked',
    why: print => (open(print).length === 0 ? null : `no green run of ${open(print).join(', ')} at it`),
    cure: print => `touchstone check run ${open(print).join(' ')}`,
  };
}

/** Null: it may leave. */
export function whyNot(root: string, project: Project, fingerprint: string): string | null {
  const green = greenOf(root, project);
  return green.kind === 'asked' ? green.why(fingerprint) : null;
}

function bySuite(root: string, project: Project): (fingerprint: string) => string | null {
  const greens = readGreens(root);
  const now = standing(root, project);
  return fingerprint => {
    // A FAIL written by hand names no tree: it takes everything back until the next run.
    if (now.kind === 'fail' && now.sidecar === null) return `the verdict is FAIL (${now.why ?? now.stamp.at})`;
    if (greens.of(fingerprint) !== null) return null;
    if (now.kind === 'pass' && now.sidecar === null && handStamped(root, project, fingerprint)) return null;
    if (now.kind === 'fail' && now.sidecar?.fingerprint === fingerprint)
      return `the suite FAILS at it${now.sidecar.reason ? ` (${now.sidecar.reason})` : ''}`;
    if (now.kind === 'unattested') return `the PASS on file is unattested, ${now.why}`;
    return greens.newest === null
      ? 'the suite never passed here'
      : `the last PASS (${greens.newest.at}) is of another tree`;
  };

  function handStamped(at: string, rules: Project, fingerprint: string): boolean {
    const tree = measureTree(at, rules.claims.paths);
    return tree?.value === fingerprint && freshness(at, rules.claims.paths, now, tree) === 'fresh';
  }
}

/** Ids of the checks that have a green phase, read plainly: the hook path knows no schema. */
export function greenIds(project: Project): string[] {
  const { checks } = project.raw;
  if (!Array.isArray(checks)) return [];
  return checks.flatMap(check => {
    if (!isRecord(check) || typeof check.id !== 'string') return [];
    const { phases } = check;
    return phases === undefined || (Array.isArray(phases) && phases.includes('green')) ? [check.id] : [];
  });
}

/** Its newest green run at exactly this tree passed, under rules a human accepted. */
export function checkPassed(root: string, id: string, fingerprint: string): boolean {
  const dir = statePath(root, 'evidence', 'checks');
  const own = new RegExp(`^${id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}-(\\d+)\\.json$`);
  let names: string[];
  try {
    names = readdirSync(dir).filter(name => own.test(name));
  } catch {
    return false;
  }
  const number = (name: string) => Number(own.exec(name)![1]);
  for (const name of names.sort((a, b) => number(b) - number(a))) {
    const read = readJson<Record<string, unknown>>(statePath(root, 'evidence', 'checks', name), value =>
      isRecord(value) ? null : 'is not a JSON object',
    );
    if (read.kind !== 'value') continue;
    const { fingerprint: seen, passed, contract, checks } = read.value;
    const green = Array.isArray(checks) && checks.length > 0 && checks.every(c => isRecord(c) && c.phase === 'green');
    if (seen !== fingerprint || !green) continue;
    return passed === true && typeof contract === 'string' && isAccepted(root, contract);
  }
  return false;
}
