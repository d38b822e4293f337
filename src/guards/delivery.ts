/** What leaves has green evidence for the very tree that leaves (design, section 5); the policy is the project's, per verb. */
import { ALLOW } from '../event.ts';
import type { Guard } from './guard.ts';

export const delivery: Guard = {
  name: 'delivery',
  judge(event, view) {
    const reading = event.kind === 'pre-tool' ? view.reading() : null;
    const delivers =
      reading &&
      (reading.deliveries[0] ||
        reading.opaque.some(text => /git.*push/.test(text)) ||
        reading.invocations.some(i => /\b(?:gh|glab|hub|tea)(?:\.exe)?$/.test(i.argv[0]!)));
    return delivers ? view.delivered() : ALLOW;
  },
};
