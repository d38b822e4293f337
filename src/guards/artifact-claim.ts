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
  if (written === undefined) return claimInCommand(touch, view);
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

/** A shell line's words, cut where a program would see line and string ends; what an editor would put in counts too. */
function claimInCommand(touch: Touch, view: View): string | null {
  for (const invocation of view.reading()?.invocations ?? []) {
    const [program = '', ...args] = invocation.argv;
    if (/(?:^|\/)(?:git|g?patch)$/.test(program)) {
      const added = invocation.code?.match(/^\+(?!\+\+ ).*$/gm) ?? [];
      const claim = passClaims(added.map(line => line.slice(1)).join('\n'))[0];
      if (claim) return claim.text;
      continue;
    }
    if (/(?:^|\/)(?:e?grep|rg|ag|cat|ls|test|\[)$/.test(program)) continue;
    const words = args.filter((arg, i) => !(/^PASS(?:ED)?$/.test(arg) && isFilter(args[i - 1])));
    for (const word of [program, ...words, words.join(' '), invocation.code ?? '']) {
      const text = word.replace(LOOKED_FOR, ' ').replace(/^normal!?\s+(?:[gG]*[GoOAIaic])?/, '');
      const claim = passClaims(text.replace(/\\n/g, '\n').replace(/['"`]/g, '\n'))[0];
      if (claim) return claim.text;
      const swap = /(?:^|[;{}\d$%,/\s])s([/|#,@!~])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)(?:\1|$)/.exec(word);
      if (swap && /\bPASS(?:ED)?\b/.test(swap[2]!) && !/\bNOT\b/i.test(swap[2]!)) return swap[0];
    }
    const copied = COPIES.test(program) ? claimInSource(args, invocation.cwd, touch, view) : null;
    if (copied !== null) return copied;
  }
  return null;
}

/** Programs whose output is what they are given, or some of its lines. */
const COPIES =
  /(?:^|\/)g?(?:head|tail|sort|uniq|nl|fold|fmt|dd|rsync|ln|link|pv|iconv|curl|wget|unexpand|expand|pandoc)$/;
/** Text that a program compares with or searches for is not what it writes. */
const LOOKED_FOR =
  /(?:[!=]==?|=~|\bin\b|\b(?:count|find|index|indexOf|includes|contains|search|match|test|startswith|endswith|startsWith|endsWith|split)\s*\()\s*r?(["'`])PASS(?:ED)?\1/g;

/** `--filter PASS` picks; `--verdict PASS` says. */
const isFilter = (flag: string | undefined): boolean =>
  flag !== undefined && /^--?\w/.test(flag) && !/verdict|status|result|outcome/i.test(flag);

function claimInSource(args: readonly string[], cwd: string, touch: Touch, view: View): string | null {
  const before = view.read(touch.at.real);
  for (const arg of args) {
    const name = arg.replace(/^(?:if=|file:\/\/)/, '');
    if (name === '' || name.startsWith('-')) continue;
    // A link says where it leads from where it lies.
    for (const folder of [cwd, touch.at.abs.replace(/\/[^/]*$/, '')]) {
      const at = name.startsWith('/') ? name : `${folder}/${name}`;
      const text = view.locate(at).real === touch.at.real ? null : view.read(at);
      const claim = text === null ? null : gainsClaim(before, text);
      if (claim) return claim.text;
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
