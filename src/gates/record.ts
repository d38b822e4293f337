/** `.claude/state/gates/<step>.json`: the verdict as it was last computed. Absent or malformed it reads as none. */
import { isRecord } from '../config/project.ts';
import { readJson, setAside, writeJson } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import type { GateFile, GateRead } from './gate.ts';

export const GATES = 'gates';

/** Steps are plain names: their paths need no normalising, which for many gates takes longer than the reading. */
function pathOf(root: string, step: string): string {
  return `${statePath(root, GATES)}/${step}.json`;
}

export function readGateFile(root: string, step: string): GateRead {
  return readJson<GateFile>(pathOf(root, step), value => shape(value, step));
}

/** What is wrong with the disk, or null. A corrupt predecessor is kept aside; a folder in its place is not removed. */
export function writeGateFile(root: string, file: GateFile, before: GateRead): string | null {
  const path = pathOf(root, file.step);
  try {
    if (before.kind === 'corrupt') setAside(path);
    writeJson(path, file, { sync: false });
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function shape(value: unknown, step: string): string | null {
  if (!isRecord(value)) return 'is not a JSON object';
  if (value.schema !== 1) return `has schema ${String(value.schema)}, this version reads 1`;
  if (value.step !== step) return 'is the verdict of another step';
  if (value.satisfied !== null && typeof value.satisfied !== 'boolean') return 'has no verdict';
  if (typeof value.reason !== 'string' || typeof value.checkedAt !== 'number' || typeof value.since !== 'number')
    return 'is not whole';
  if (!Array.isArray(value.causes)) return 'has no causes';
  const { stamp, failure, kickback } = value;
  if (
    stamp !== undefined &&
    !(
      isRecord(stamp) &&
      nullable(stamp.head) &&
      typeof stamp.fingerprint === 'string' &&
      nullable(stamp.raw) &&
      typeof stamp.rules === 'string'
    )
  )
    return 'holds a malformed stamp';
  if (
    failure !== undefined &&
    !(
      isRecord(failure) &&
      typeof failure.observedAt === 'number' &&
      nullable(failure.headSha) &&
      nullable(failure.fingerprint) &&
      Array.isArray(failure.failRows)
    )
  )
    return 'holds a malformed failure';
  if (kickback !== undefined && !isKickback(kickback)) return 'holds a malformed kickback';
  return null;
}

export function isKickback(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.from === 'string' &&
    typeof value.evidence === 'string' &&
    typeof value.at === 'number'
  );
}

function nullable(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
