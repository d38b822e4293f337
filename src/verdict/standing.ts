/** What the stamped verdict is worth now, before asking whether the tree has moved. */
import type { Project } from '../config/project.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import { readBroken } from '../freeze/broken.ts';
import { readState } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';
import { readSidecar, type Sidecar, sha256 } from './sidecar.ts';
import { parseStamp, STATEFILE, type Stamp } from './statefile.ts';

export type Standing =
  /** Nothing was ever stamped, or what is there cannot be read: no evidence. */
  | { kind: 'none' }
  | { kind: 'corrupt'; why: string }
  | { kind: 'fail'; stamp: Stamp; sidecar: Sidecar | null; why?: string }
  /** A PASS that nothing vouches for. */
  | { kind: 'unattested'; stamp: Stamp; why: string }
  /** Sidecar is null only under `verdict.trust: "any"`. */
  | { kind: 'pass'; stamp: Stamp; sidecar: Sidecar | null };

export function standing(root: string, project: Project): Standing {
  const file = readState(statePath(root, STATEFILE));
  if (file.kind === 'missing') return { kind: 'none' };
  if (file.kind === 'unusable') return { kind: 'corrupt', why: `${STATEFILE} ${file.why}` };
  const parsed = parseStamp(file.text);
  if (parsed.kind === 'malformed') return { kind: 'corrupt', why: `${STATEFILE}: ${parsed.why}` };
  const side = readSidecar(root);
  const own = side.kind === 'value' && side.value.statefile === sha256(file.text) ? side.value : null;
  if (parsed.kind === 'contradiction') {
    return {
      kind: 'fail',
      stamp: parsed.stamp,
      sidecar: own,
      why: `line 1 says PASS, line 4 says exit code ${parsed.stamp.exitCode}`,
    };
  }
  if (parsed.stamp.verdict === 'FAIL') return { kind: 'fail', stamp: parsed.stamp, sidecar: own };
  if (!own) {
    if (project.verdict.trust === 'any') return accepted(root, parsed.stamp, null);
    const why = side.kind === 'corrupt' ? `verdict.json ${side.why}` : 'no run of `touchstone verify` stands behind it';
    return { kind: 'unattested', stamp: parsed.stamp, why };
  }
  if (own.verdict !== 'PASS') return { kind: 'fail', stamp: parsed.stamp, sidecar: own, why: 'verdict.json says FAIL' };
  return accepted(root, parsed.stamp, own);
}

function accepted(root: string, stamp: Stamp, sidecar: Sidecar | null): Standing {
  const now = trustHash(root);
  if (sidecar && sidecar.rules !== now) {
    return { kind: 'unattested', stamp, why: 'the rules in .claude/project.json changed after it was stamped' };
  }
  if (!isAccepted(root, now)) {
    return {
      kind: 'unattested',
      stamp,
      why: 'nobody accepted the rules in .claude/project.json: a human runs `touchstone config accept`',
    };
  }
  const broken = readBroken(root);
  if (broken !== null)
    return { kind: 'unattested', stamp, why: `frozen tests were changed (${broken}): touchstone freeze restore` };
  return { kind: 'pass', stamp, sidecar };
}
