/** Whether a report gains a PASS claim that nothing stands behind. Loaded only when a call touches a claim artifact. */
import { type Change, type Decision, deny } from '../event.ts';
import { gainsClaim, passClaims } from './claim-text.ts';
import type { Touch, View } from './guard.ts';
import { notebookText, simulate } from './simulate.ts';

const RULE = 'pass-claim';
const FILE = '.claude/state/last_test_result';

export function unprovenClaim(touch: Touch, rel: string, view: View, change: Change | undefined): Decision | null {
  return claimIn(touch, view, change) === null ? null : unproven(view, rel);
}

function claimIn(touch: Touch, view: View, change: Change | undefined): string | null {
  if (!touch.shell) return claimInChange(touch, view, change);
  const written = touch.content?.();
  if (written === undefined) return claimInCommand(view);
  const before = view.read(touch.at.real);
  return gainsClaim(before, touch.append ? (before ?? '') + written : written)?.text ?? null;
}

function claimInChange(touch: Touch, view: View, change: Change | undefined): string | null {
  if (!change) return null;
  const raw = view.read(touch.at.real);
  const after = simulate(raw, change);
  const before = change.kind === 'cell' && raw ? notebookText(raw) : raw;
  return gainsClaim(before, after)?.text ?? null;
}

/** A shell line's words, cut where a program would see line and string ends; what sed would put in counts too. */
function claimInCommand(view: View): string | null {
  for (const invocation of view.reading()?.invocations ?? []) {
    const [program = '', ...args] = invocation.argv;
    if (/(?:^|\/)(?:grep|rg|cat|head|tail|ls|test|\[)$/.test(program)) continue;
    for (const arg of [...args, args.join(' '), invocation.code ?? '']) {
      const claim = passClaims(arg.replace(/\\n/g, '\n').replace(/['"`]/g, '\n'))[0];
      if (claim) return claim.text;
      const swap = /(?:^|[;{}\d$,\s])s([/|#,@!~])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1/.exec(arg);
      if (swap && /\bPASS(?:ED)?\b/.test(swap[2]!) && !/\bNOT\b/i.test(swap[2]!)) return swap[0];
    }
  }
  return null;
}

/** The refusal that the standing verdict calls for, or null where a PASS may be claimed. */
function unproven(view: View, file: string): Decision | null {
  const now = view.standing();
  const cure = 'touchstone verify';
  switch (now.kind) {
    case 'none':
      return deny(RULE, `cannot persist a PASS line in ${file}: no test evidence exists at ${FILE}.`, cure);
    case 'corrupt':
      return deny(
        RULE,
        `cannot persist a PASS line in ${file}: no test evidence exists at ${FILE} that can be read (${now.why}).`,
        cure,
      );
    case 'fail':
      return deny(
        RULE,
        `cannot persist a PASS line in ${file}: the latest test verdict is 'FAIL' (see ${FILE})${because(now)}. Fix what fails; do not edit the report to claim PASS.`,
        cure,
      );
    case 'unattested':
      return deny(RULE, `cannot persist a PASS line in ${file}: the PASS at ${FILE} is unattested: ${now.why}.`, cure);
    case 'pass':
      switch (view.freshness()) {
        case 'fresh':
          return null;
        case 'moved':
          return deny(
            RULE,
            `cannot persist a PASS line in ${file}: the PASS of ${now.stamp.at} is stale, the tree has changed since.`,
            cure,
          );
        case 'unknown':
          return deny(
            RULE,
            `cannot persist a PASS line in ${file}: the tree cannot be compared with the one that passed.`,
            'touchstone doctor',
          );
      }
  }
}

function because(now: { why?: string; sidecar: { reason: string | null } | null }): string {
  const why = now.why ?? now.sidecar?.reason;
  return why ? `: ${why.replace(/[.\s]+$/, '')}` : '';
}
