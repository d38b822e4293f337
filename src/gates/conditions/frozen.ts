/** The tests that red evidence proved are as they were. */
import { sayBreach } from '../../freeze/check.ts';
import type { Condition } from '../gate.ts';

export const frozen: Condition = {
  key: 'frozen',
  read(value, gate, _names, fault) {
    if (typeof value !== 'boolean') return fault('frozen', 'is not true or false', 'write "frozen": true');
    gate.frozen = value;
  },
  judge(gate, look) {
    if (!gate.frozen) return [];
    const state = look.frozen();
    if (state === null)
      return [{ truth: 'unknown', why: 'nothing is frozen yet', next: 'touchstone check run ID --phase red' }];
    if (state.kind === 'intact') return [{ truth: 'true', why: 'the frozen set is intact' }];
    if (state.kind === 'unproven') return [{ truth: 'unknown', why: state.why, next: 'touchstone doctor' }];
    const shown = state.breaches.slice(0, 3).map(sayBreach).join(', ');
    const more = state.breaches.length > 3 ? ` and ${state.breaches.length - 3} more` : '';
    return [{ truth: 'false', why: `frozen tests were changed: ${shown}${more}`, next: 'touchstone freeze restore' }];
  },
};
