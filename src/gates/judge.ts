import { CONDITIONS } from './conditions/registry.ts';
import type { Cause, Finding, Gate, GateFile, Look } from './gate.ts';
import { answers, observedNow, reopened, type Taint, taintOf, washing } from './taint.ts';

export function judgeGate(gate: Gate, look: Look): GateFile {
  const prev = look.prev(gate.step);
  const taint = taintOf(gate, look);
  const halt = look.halt();
  if (halt !== null) {
    const cause: Cause = {
      condition: 'halt',
      truth: 'false',
      why: `halted (${halt.class}): ${halt.reason}`,
      next: 'ask the user: touchstone marker clear halt',
    };
    return verdict(gate, look, prev, [cause], taint, {});
  }
  if (!look.accepted()) {
    const cause: Cause = {
      condition: 'rules',
      truth: 'unknown',
      why: 'the rules in .claude/project.json changed since a human accepted them',
      next: 'ask the user: touchstone config accept',
    };
    return verdict(gate, look, prev, [cause], taint, {});
  }
  if (gate.disabled !== null) return disabled(gate, look, prev, taint);
  const found = CONDITIONS.flatMap(condition =>
    condition.judge(gate, look).map(finding => ({ condition: condition.key, finding })),
  );
  const causes: Cause[] = found.map(({ condition, finding: { truth, why, next } }) => ({
    condition,
    truth,
    why,
    ...(next && truth !== 'true' ? { next } : {}),
  }));
  const findings = found.map(f => f.finding);
  const holds = causes.every(cause => cause.truth === 'true');
  const open = taint.kickback !== null && !(holds && answers(findings, taint.kickback, taint.failure, look));
  if (open) causes.unshift(reopened(gate, taint.kickback!));
  const whitewash = holds && !open ? washing(gate, taint.failure, look) : null;
  if (whitewash !== null) causes.unshift(whitewash);
  const observed = findings.flatMap(f => f.failed ?? []);
  const failure = observed.length > 0 ? observedNow(observed, taint.failure, look) : taint.failure;
  return verdict(gate, look, prev, causes, { ...taint, failure }, evidence(findings));
}

function disabled(gate: Gate, look: Look, prev: GateFile | null, taint: Taint): GateFile {
  const laundered = gate.enforcement === 'advisory' ? null : washing(gate, taint.failure, look);
  if (laundered !== null) {
    const cause = { ...laundered, why: `${laundered.why}; a skip does not launder it` };
    return verdict(gate, look, prev, [cause], taint, {});
  }
  return { ...verdict(gate, look, prev, [], taint, {}), ...skip(gate.disabled!, prev, look) };
}

function skip(cause: string, prev: GateFile | null, look: Look): Partial<GateFile> {
  const since = prev?.skipped !== undefined ? prev.since : look.now;
  return { satisfied: true, reason: `skipped: ${cause}`, skipped: cause, since };
}

function evidence(findings: readonly Finding[]): Partial<GateFile> {
  const comparison = findings.find(f => f.comparison)?.comparison;
  const stamp = findings.find(f => f.stamp?.marker)?.stamp;
  return { ...(comparison ? { comparison } : {}), ...(stamp ? { stamp } : {}) };
}

function verdict(
  gate: Gate,
  look: Look,
  prev: GateFile | null,
  causes: Cause[],
  taint: Taint,
  more: Partial<GateFile>,
): GateFile {
  const wrong = causes.filter(cause => cause.truth === 'false');
  const open = causes.filter(cause => cause.truth === 'unknown');
  const satisfied = wrong.length > 0 ? false : open.length > 0 ? null : true;
  const told = wrong.length > 0 ? wrong : open.length > 0 ? open : causes;
  const tree = satisfied === true && causes.length > 0 ? look.tree() : null;
  // The stamp of a marker that is not fresh now may hold again later, for the same writing of it.
  const stamp = more.stamp ?? (gate.marker !== null ? prev?.stamp : undefined);
  const met = satisfied === true && gate.disabled === null;
  const answered = Math.max(
    prev?.answered ?? 0,
    met ? (taint.kickback?.at ?? 0) : 0,
    met ? (taint.failure?.observedAt ?? 0) : 0,
  );
  const file: GateFile = {
    schema: 1,
    step: gate.step,
    satisfied,
    reason: told.map(cause => cause.why).join('; '),
    checkedAt: look.now,
    since: prev !== null && prev.satisfied === satisfied && prev.skipped === undefined ? prev.since : look.now,
    causes,
    ...more,
    ...(stamp ? { stamp } : {}),
    ...(tree ? { fingerprint: tree.value } : {}),
    ...(taint.failure && !met ? { failure: taint.failure } : {}),
    ...(taint.kickback && !met ? { kickback: taint.kickback } : {}),
    ...(answered > 0 ? { answered } : {}),
  };
  if (satisfied !== false || gate.enforcement !== 'advisory' || wrong.some(c => c.condition === 'halt')) return file;
  return { ...file, ...skip(`advisory failure (${file.reason})`, prev, look) };
}

/** Nothing that cannot be kept is satisfied. */
export function unwritten(file: GateFile, why: string): GateFile {
  const cause: Cause = { condition: 'state', truth: 'false', why, next: 'touchstone doctor' };
  const { skipped: _, ...rest } = file;
  return { ...rest, satisfied: false, reason: why, causes: [cause, ...file.causes] };
}
