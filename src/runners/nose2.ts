import { program } from './book.ts';
import type { Runner } from './report.ts';
import { parseUnittest, unittestEnds, unittestStrength } from './unittest.ts';

/** nose2 writes unittest's own grammar; only the command line or its loader's name tells them apart. */
export const nose2: Runner = {
  name: 'nose2',
  ends: unittestEnds,
  recognise(output, argv) {
    const named = program(argv).startsWith('nose2') || argv.includes('nose2');
    const strength = unittestStrength(output);
    if (named) return Math.max(20, strength + 5);
    return strength > 0 && output.includes('(nose2.loader.') ? strength + 1 : Math.max(0, strength - 1);
  },
  parse: output => parseUnittest('nose2', output),
};
