/** While a stage of the plan is open, nothing outside of its contract is written (seed 000, "Current artifacts"). */
import { ALLOW, deny } from '../event.ts';
import type { Guard } from './guard.ts';

export const scope: Guard = {
  name: 'scope',
  judge(event, view) {
    const why = event.kind === 'pre-tool' ? view.outOfScope() : null;
    return why === null ? ALLOW : deny('scope', why, 'touchstone stage status');
  },
};
