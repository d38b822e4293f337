/** Not a condition to be met but what the others' evidence is about: read here, weighed in `stamps.ts`. */
import type { Condition } from '../gate.ts';
import { known } from './names.ts';

export const surface: Condition = {
  key: 'surface',
  read(value, gate, names, fault) {
    if (typeof value !== 'string' || !names.surfaces.has(value)) {
      return fault(
        'surface',
        `unknown surface ${JSON.stringify(value)}`,
        `name one of ${known(names.surfaces)}, or declare it under "surfaces"`,
      );
    }
    gate.surface = value;
  },
  judge: () => [],
};
