/** Nobody claims PASS in a report while the verdict is not a fresh, attested PASS (seed 003; decision 0003). */
import { isClaimArtifact } from '../config/claims.ts';
import { ALLOW } from '../event.ts';
import { type Guard, relNames } from './guard.ts';

export const passClaim: Guard = {
  name: 'pass-claim',
  judge(event, view) {
    const call = event.call;
    if (event.kind !== 'pre-tool' || !call) return ALLOW;
    const globs = view.project().claims.paths;
    for (const touch of view.touches()) {
      if (touch.op === 'delete' || touch.op === 'mode') continue;
      const rel = relNames(touch, view).find(name => isClaimArtifact(globs, name));
      if (rel === undefined) continue;
      const refusal = view.rules().unprovenClaim(touch, rel, view, call.change);
      if (refusal) return refusal;
    }
    return ALLOW;
  },
};
