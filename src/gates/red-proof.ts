/** Does a red record establish red? Refusals in their order: first a malformed shape, then an outcome that is not red. */
import { isRecord } from '../config/project.ts';

const COUNTS = ['executed', 'passed', 'failed', 'skipped', 'errors'] as const;

/** What is wrong, or null. */
export function redRefusal(proof: unknown): string | null {
  if (!isRecord(proof)) return 'the red proof is not an object';
  if (proof.outcome !== 'specs-generated')
    return `the outcome is ${JSON.stringify(proof.outcome)}, not specs-generated`;
  const counts = {} as Record<(typeof COUNTS)[number], number>;
  for (const key of COUNTS) {
    const value = proof[key];
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return `${key} is not a number`;
    counts[key] = value;
  }
  if (counts.errors > 0) return `${counts.errors} errors: the specs never ran`;
  if (counts.skipped > 0) return `${counts.skipped} skipped: a skip does not establish red`;
  if (counts.executed < 1) return 'no spec was executed';
  const { exception } = proof;
  if (exception !== undefined && !isRemediation(exception))
    return 'the exception is not { kind: "remediation", reason, attribution }';
  if (counts.failed < 1 && exception === undefined) return 'no spec failed: red is not established';
  if (typeof proof.command !== 'string' || proof.command.trim() === '') return 'the command is empty';
  const specs = proof.targetSpecs;
  if (!Array.isArray(specs) || specs.length === 0 || specs.some(s => typeof s !== 'string' || s === ''))
    return 'no target specs are named';
  return null;
}

function isRemediation(value: unknown): boolean {
  if (!isRecord(value) || value.kind !== 'remediation') return false;
  return [value.reason, value.attribution].every(text => typeof text === 'string' && text.trim() !== '');
}
