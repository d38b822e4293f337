/** Which of the gates named in `gate.stop` or `gate.deliver` do not hold, why, and the one command that would move each. */
import { type Project, readProject } from '../config/project.ts';
import { changedPaths } from '../repo/changed.ts';
import { locate } from '../repo/locate.ts';
import type { Tree } from '../verdict/tree.ts';
import { type GateContract, readGates, refusals } from './contract.ts';
import { type EvalOptions, evaluate, judgeOnly } from './eval.ts';
import type { GateFile } from './gate.ts';
import { readSignal } from './signals.ts';
import { inSurface } from './surfaces.ts';

/** Whether the end of a turn asks any gate; a configuration that cannot be read is asked about too. */
export function stopGates(project: Project): boolean {
  return project.raw.gate !== undefined || project.raw.gates !== undefined;
}

export type Unmet = { step: string; satisfied: false | null; why: string; next?: string };

/** Writes nothing and waits for nobody: the answer for a tool call. */
export function unmetGates(root: string, at: 'stop' | 'deliver', options: EvalOptions = {}): Unmet[] {
  const read = readProject(root);
  if (read.kind === 'corrupt') {
    const why = `.claude/project.json ${read.why}: which gates must hold cannot be told`;
    return [{ step: 'gates', satisfied: false, why, next: 'touchstone config validate' }];
  }
  const contract = readGates(read.project.raw);
  const faulty = invalid(contract);
  if (faulty !== null) return [faulty];
  const steps = contract[at];
  const unmet = steps.length === 0 ? [] : unmetOf(judgeOnly(root, { ...options, steps }).gates, contract, steps);
  const quarantine = at === 'deliver' ? readSignal(root, 'quarantine') : null;
  if (quarantine === null) return unmet;
  const why = `the work is in quarantine${quarantine.trim() ? `: ${quarantine.trim().split('\n')[0]}` : ''}`;
  return [
    { step: 'quarantine', satisfied: false, why, next: 'ask the user: touchstone marker clear quarantine' },
    ...unmet,
  ];
}

/** At the end of a turn: only gates whose surface the turn touched are asked, and their verdicts are kept. */
export async function unmetAtStop(
  root: string,
  tree: Tree | null,
  turnTree: string | null,
  session: string,
): Promise<Unmet[]> {
  const { project } = readProject(root);
  const contract = readGates(project.raw);
  if (contract.stop.length === 0 && contract.faults.length === 0) return [];
  const changed = touchedPaths(root, tree, turnTree, project.claims.paths);
  if (changed !== null && changed.length === 0) return [];
  const faulty = invalid(contract);
  if (faulty !== null) return [faulty];
  const steps = contract.stop.filter(step => {
    const surface = contract.gates.find(gate => gate.step === step)?.surface ?? null;
    return (
      surface === null || changed === null || inSurface(surface, changed, contract.surfaces, () => null).length > 0
    );
  });
  if (steps.length === 0) return [];
  const { gates } = await evaluate(root, { steps, session, tree });
  return unmetOf(gates, contract, steps);
}

/** Paths from the root; null where it cannot be told which. */
function touchedPaths(
  root: string,
  tree: Tree | null,
  from: string | null,
  claims: readonly string[],
): string[] | null {
  if (tree === null || from === null) return null;
  if (tree.value === from) return [];
  const paths = changedPaths(root, from, tree.value, claims);
  if (paths === null) return null;
  const repo = locate(root);
  const prefix = repo.kind === 'worktree' ? repo.prefix : '';
  return paths.map(path => (path.startsWith(prefix) ? path.slice(prefix.length) : `/${path}`));
}

function unmetOf(gates: readonly GateFile[], contract: GateContract, steps: readonly string[]): Unmet[] {
  return steps.flatMap(step => {
    const file = gates.find(gate => gate.step === step);
    if (file === undefined || file.satisfied === true) return [];
    const advisory = contract.gates.find(gate => gate.step === step)?.enforcement === 'advisory';
    if (advisory && file.causes[0]?.condition !== 'halt') return [];
    const cause = file.causes.find(c => c.truth === (file.satisfied === false ? 'false' : 'unknown'));
    return [{ step, satisfied: file.satisfied, why: file.reason, ...(cause?.next ? { next: cause.next } : {}) }];
  });
}

function invalid(contract: GateContract): Unmet | null {
  const [first, ...rest] = refusals(contract);
  if (first === undefined) return null;
  const more = rest.length > 0 ? ` (and ${rest.length} more)` : '';
  return {
    step: 'gates',
    satisfied: false,
    why: `.claude/project.json at ${first.path}: ${first.message}${more}`,
    next: 'touchstone config validate',
  };
}

export function unmetLine(unmet: Unmet): string {
  const next =
    unmet.next === undefined ? '' : /^touchstone /.test(unmet.next) ? ` Run: ${unmet.next}` : ` Next: ${unmet.next}.`;
  return `gate ${unmet.step} is ${unmet.satisfied === null ? 'not proven' : 'not met'}: ${unmet.why}.${next}`;
}
