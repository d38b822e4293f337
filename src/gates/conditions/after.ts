/** Other gates that must hold first. */
import type { Condition } from '../gate.ts';
import { known, nameList } from './names.ts';

export const after: Condition = {
  key: 'after',
  read(value, gate, names, fault) {
    const list = nameList(value);
    if (list === null) return fault('after', 'is not a gate or a list of gates', 'name the steps that come first');
    for (const step of list) {
      if (!names.steps.has(step))
        fault('after', `unknown step "${step}"`, `name one of the gates (${known(names.steps)})`);
    }
    gate.after = list;
  },
  judge(gate, look) {
    return gate.after.map(step => {
      const other = look.gate(step);
      if (other.satisfied === true) return { truth: 'true', why: `${step} holds` };
      const truth = other.satisfied === false ? 'false' : 'unknown';
      return {
        truth,
        why: `waits for ${step}: ${other.reason}`,
        next: other.causes.find(c => c.truth !== 'true')?.next,
      };
    });
  },
};
