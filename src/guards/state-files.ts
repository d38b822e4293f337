/** Nobody but Touchstone writes its state; a step's own pass marker and a hand-written FAIL are the two exceptions. */
import { ALLOW, type Change, deny } from '../event.ts';
import { STATE } from '../state/paths.ts';
import { parseStamp, STATEFILE } from '../verdict/statefile.ts';
import { type Guard, holds, relNames, type Touch, takesFolder, type View } from './guard.ts';
import { simulate } from './simulate.ts';

const RULE = 'state-files';
const SHARED = '.git/touchstone';
const MARKER = new RegExp(`^${STATE.replace('.', '\\.')}/markers/[^/]+\\.pass$`, 'i');
/** Files whose other names (hard links) are worth a look. */
const LINKED = [`${STATE}/${STATEFILE}`, `${STATE}/verdict.json`, `${STATE}/freeze.json`, `${STATE}/accepted.json`];

export const stateFiles: Guard = {
  name: RULE,
  judge(event, view) {
    if (event.kind !== 'pre-tool' || !event.call) return ALLOW;
    for (const touch of view.touches()) {
      // A formatter let loose on the tree passes by what git ignores.
      if (touch.maybe) continue;
      const hit = stateName(touch, view);
      if (hit === null) continue;
      if (touch.op === 'delete' && hit.startsWith(`${STATE}/logs/`)) continue;
      // Opening the whole tree's modes moves nothing; closing the state's own is told after the call.
      if (touch.op === 'mode' && touch.deep && !hit.startsWith(`${STATE}/`) && !isState(touch, view)) continue;
      if (isOwnMarker(touch, hit, view)) continue;
      if (touch.via === 'mkdir' && touch.op === 'create') continue;
      if (isHonestFail(touch, hit, event.call.change, view)) continue;
      return deny(
        RULE,
        `${touch.via} would change ${hit}, which only Touchstone writes.`,
        hit.endsWith(STATEFILE) ? 'touchstone verify' : 'touchstone status',
      );
    }
    const named = view
      .opaque()
      .find(text => /\.claude\/+state\b|\blast_test_result\b|\.git\/+touchstone\b/i.test(text));
    return named === undefined
      ? ALLOW
      : deny(
          RULE,
          'the command names .claude/state and could not be read to its end.',
          'split it into simple commands',
        );
  },
};

function isState(touch: Touch, view: View): boolean {
  return relNames(touch, view).some(rel => rel === STATE || rel.startsWith(`${STATE}/`) || rel === SHARED);
}

/** The state path a touch reaches, by name, by real path, by an enclosing folder or by inode. */
function stateName(touch: Touch, view: View): string | null {
  for (const rel of relNames(touch, view)) {
    for (const area of [STATE, SHARED]) {
      if (rel === area || rel.startsWith(area + '/')) return rel;
      if (takesFolder(touch) && holds(rel, area)) return area;
    }
  }
  if (!touch.shell || touch.op === 'write') return view.sameFile(touch.at.abs, LINKED);
  return null;
}

/** Its existence and freshness are an agent's own word for a step; its times are not for the agent to choose. */
function isOwnMarker(touch: Touch, rel: string, view: View): boolean {
  if (!MARKER.test(rel) || TIMED.has(touch.via)) return false;
  // To create what is there is to touch it.
  return touch.op === 'write' || (touch.op === 'create' && view.read(touch.at.real) === null);
}

const TIMED = new Set(['touch', 'cp', 'tar', 'rsync', 'mv', 'ln', 'install', 'git checkout', 'git restore', 'unzip']);

/** Lowering is anybody's right: it makes more work, never less. */
function isHonestFail(touch: Touch, rel: string, change: Change | undefined, view: View): boolean {
  if (rel.toLowerCase() !== `${STATE}/${STATEFILE}`) return false;
  const text = touch.shell
    ? touch.via === '>' && touch.content?.()
    : change && simulate(view.read(touch.at.real), change);
  const read = typeof text === 'string' ? parseStamp(text) : null;
  return read?.kind === 'stamp' && read.stamp.verdict === 'FAIL';
}
