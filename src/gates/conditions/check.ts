/** What the engine's own runs of declared checks showed of this tree. */
import { sameTree } from '../../verdict/tree.ts';
import type { Condition, Finding, Gate, GateCheck, Look, Recorded } from '../gate.ts';
import { redRefusal } from '../red-proof.ts';
import { known, nameList } from './names.ts';

export const check: Condition = {
  key: 'check',
  read(value, gate, names, fault) {
    const asked = askedOf(value);
    if (asked === null) return fault('check', 'is not a check or a list of checks', 'name ids of "checks"');
    for (const { id, phase } of asked) {
      const phases = names.checks.get(id);
      if (phases === undefined) {
        fault('check', `unknown check "${id}"`, `declare it under "checks" (${known(names.checks.keys())})`);
      } else if (phase !== null && !phases.includes(phase)) {
        fault('check', `check "${id}" has no phase ${phase}`, 'add it to the phases of the check');
      } else gate.checks.push({ id, phase: phase ?? (phases.includes('green') ? 'green' : 'red') });
    }
  },
  judge: (gate, look) => gate.checks.map(asked => find(gate, asked, look)),
};

function askedOf(value: unknown): { id: string; phase: GateCheck['phase'] | null }[] | null {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { id, phase } = value as Record<string, unknown>;
    return typeof id === 'string' && (phase === 'red' || phase === 'green') ? [{ id, phase }] : null;
  }
  return nameList(value)?.map(id => ({ id, phase: null })) ?? null;
}

function find(gate: Gate, asked: GateCheck, look: Look): Finding {
  const next = `touchstone check run ${asked.id}${asked.phase === 'red' ? ' --phase red' : ''}`;
  const records = look.records(asked);
  const newest = records.newest();
  if (newest === undefined) return { truth: 'unknown', why: `${asked.id} was never run`, next };
  const ruled = (record: Recorded): Finding | null =>
    record.rules === look.rules()
      ? null
      : { truth: 'unknown', why: `the rules changed after ${record.name} was recorded`, next };
  if (asked.phase === 'red') return ruled(newest) ?? red(asked, newest, look, next);
  const here = records.find(record => sameTree(look.tree(), record.tree));
  if (here) return ruled(here) ?? outcome(asked, here, next);
  if (!newest.passed) return { truth: 'unknown', why: `${newest.name} failed, at another tree`, next };
  const { tree, head, rules } = newest;
  if (tree === null) return { truth: 'unknown', why: `${newest.name} speaks of no tree`, next };
  const stamp = { head, fingerprint: tree.value, raw: tree.raw, rules };
  const kept = look.holds(gate, stamp);
  return kept.holds
    ? { truth: 'true', why: `${newest.name} still speaks: ${kept.why}`, at: newest.at, stamp }
    : { truth: 'unknown', why: `${newest.name} is stale: ${kept.why}`, next };
}

function outcome(asked: GateCheck, record: Recorded, next: string): Finding {
  if (record.passed) return { truth: 'true', why: `${record.name} passed at this tree`, at: record.at };
  return {
    truth: 'false',
    why: `${asked.id} failed at this tree (${record.name}): ${record.problems[0] ?? record.class}`,
    next,
    ...(record.failed.length > 0 ? { failed: record.failed } : {}),
  };
}

/** Red proof is older than the work it asks for: it counts by its time, or because the freeze still holds what it proved. */
function red(asked: GateCheck, record: Recorded, look: Look, next: string): Finding {
  const refused = redRefusal(record.red);
  if (refused !== null) return { truth: 'false', why: `${record.name}: ${refused}`, next };
  if (!record.passed) return { truth: 'false', why: `${record.name}: ${record.problems[0] ?? record.class}`, next };
  const frozen = look.frozen();
  if (frozen?.kind === 'intact' && frozen.manifest.record === record.path)
    return { truth: 'true', why: `${record.name} is red, and what it proved is frozen`, at: record.at };
  if (sameTree(look.tree(), record.tree))
    return { truth: 'true', why: `${record.name} is red at this tree`, at: record.at };
  const floor = look.floorOf(asked.id);
  if (floor === null)
    return {
      truth: 'unknown',
      why: `${record.name} cannot be verified without an attempt or session freshness floor`,
      next,
    };
  return record.at >= floor.ms
    ? { truth: 'true', why: `${record.name} is red`, at: record.at }
    : { truth: 'unknown', why: `${record.name} is older than this ${floor.source}`, next };
}
