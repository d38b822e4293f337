/** The checks of a stage, run one by one; what a broken-off finish proved of the same trees is not run again. */
import { basename } from 'node:path';
import { runCheck } from '../checks/check.ts';
import type { Phase } from '../checks/contract.ts';
import type { CheckEntry, CheckRecord } from '../checks/evidence.ts';
import { isRecord } from '../config/project.ts';
import { readJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import { folderOf, sameTrees, type Trees } from './checkout.ts';
import { type Changes, type Failure, HEADINGS } from './findings.ts';
import type { Limits, PlanCheck } from './plan-types.ts';
import { writeTask } from './task-state.ts';
import type { FinishOptions, Work } from './work.ts';

type At = { phase: Phase; trees: Trees; changes: Changes; contract: string };

export async function runChecks(
  work: Work,
  at: At,
  options: FinishOptions,
): Promise<{ checks: CheckEntry[]; reused: string[] }> {
  const { root, project, plan, stage, task, open } = work;
  const chosen = plan.checks.filter(c => c.phases.includes(at.phase) && (stage.checks?.includes(c.id) ?? true));
  const kept = open.verifying;
  const known = kept !== null && kept.rules === at.contract && sameTrees(kept.trees, at.trees) ? kept.checks : [];
  open.verifying = { trees: at.trees, rules: at.contract, checks: [...known] };
  writeTask(root, task);
  const checks: CheckEntry[] = [];
  const reused: string[] = [];
  const deadline = Date.now() + plan.limits.timeoutSeconds * 1000;
  for (const check of chosen) {
    const before = known.find(k => k.id === check.id && k.phase === at.phase);
    const entry = before === undefined ? null : stored(root, before.record, at);
    if (entry !== null) {
      checks.push(named(entry, check));
      reused.push(check.id);
      continue;
    }
    if (options.cancel?.aborted) break;
    const line = options.onCheck?.(`${check.id} (${at.phase})`);
    const place =
      folderOf(root, plan.repositories.find(r => r.id === check.repository)!) === root
        ? undefined
        : {
            id: check.repository,
            folder: folderOf(root, plan.repositories.find(r => r.id === check.repository)!),
            tree: at.trees[check.repository]!,
            changes: at.changes[check.repository] ?? [],
          };
    const ran = await runCheck(root, project, limited(check, plan.limits, deadline), at.phase, {
      cancel: options.cancel,
      onText: text => line?.text(text),
      place,
    }).finally(() => line?.end());
    checks.push(named(ran.entry, check));
    if (!ran.entry.passed) continue;
    open.verifying.checks.push({ id: check.id, phase: at.phase, record: ran.path });
    writeTask(root, task);
  }
  return { checks, reused };
}

/** The record of a check that passed at these very trees; null where it is gone or speaks of others. */
function stored(root: string, path: string, at: At): CheckEntry | null {
  const read = readJson<CheckRecord>(statePath(root, 'evidence', 'checks', basename(path)), value =>
    isRecord(value) && Array.isArray(value.checks) ? null : 'is not whole',
  );
  if (read.kind !== 'value') return null;
  const { passed, checks, fingerprint, contract } = read.value;
  const seen = Object.values(at.trees).some(tree => tree.value === fingerprint);
  return passed === true && seen && contract === at.contract && checks[0]?.phase === at.phase ? checks[0] : null;
}

/** The plan's own limits bind where it gives them; what is left of the stage's time binds always. */
function limited(check: PlanCheck, limits: Limits, deadline: number): PlanCheck {
  const left = Math.max(1, Math.ceil((deadline - Date.now()) / 1000));
  const own = (key: string, value: number): number => (limits.given.includes(key) ? value : Number.POSITIVE_INFINITY);
  return {
    ...check,
    timeoutSeconds: Math.min(
      check.timeoutSeconds,
      own('tool_timeout_seconds', limits.toolTimeoutSeconds),
      limits.given.includes('timeout_seconds') ? left : Number.POSITIVE_INFINITY,
    ),
    inactivitySeconds: Math.min(check.inactivitySeconds, own('inactivity_seconds', limits.inactivitySeconds)),
  };
}

const named = (entry: CheckEntry, check: PlanCheck): CheckEntry => ({ ...entry, repository: check.repository });

export function checksFailure(phase: Phase, checks: readonly CheckEntry[]): Failure | null {
  if (checks.length === 0)
    return { step: 'checks', heading: phase === 'red' ? HEADINGS.noRed : HEADINGS.noGreen, lines: [] };
  const failed = checks.filter(entry => !entry.passed);
  const lines = failed.flatMap(entry => entry.problems.map(problem => `${entry.id}: ${problem}`));
  return failed.length === 0 ? null : { step: 'checks', heading: HEADINGS.checks, lines };
}
