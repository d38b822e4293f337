/** While a phase names what may be written, nothing else of the project is. One small file; where it is not, nothing. */
import { ALLOW, deny } from '../event.ts';
import { STATE } from '../state/paths.ts';
import { type Guard, relNames } from './guard.ts';

export const phase: Guard = {
  name: 'phase',
  judge(event, view) {
    const text = event.kind === 'pre-tool' ? view.read(`${view.root}/${STATE}/markers/phase`) : null;
    const allow = text?.match(/^allow: .+$/gm)?.map(line => line.slice(7)) ?? [];
    if (allow.length === 0) return ALLOW;
    // The state folder has a guard of its own.
    const open = [...allow, STATE].map(p => (view.foldsCase() ? p.toLowerCase() : p).replace(/\/*$/, '/'));
    for (const touch of view.touches()) {
      const out = relNames(touch, view).find(rel => !open.some(p => `${rel}/`.startsWith(p)));
      if (out !== undefined)
        return deny(
          'phase',
          `${touch.via} would change ${out}; this phase allows ${allow.join(', ')} only.`,
          'work in the phase at hand: touchstone marker show phase',
        );
    }
    return ALLOW;
  },
};
