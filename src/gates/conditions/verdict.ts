/** The suite's stamped verdict, of this very tree or of one that differs outside the gate's surface only. */
import { sameTree } from '../../verdict/tree.ts';
import type { Condition, Finding, Gate, Look } from '../gate.ts';

const NEXT = 'touchstone verify';

export const verdict: Condition = {
  key: 'verdict',
  read(value, gate, _names, fault) {
    if (typeof value !== 'boolean') return fault('verdict', 'is not true or false', 'write "verdict": true');
    gate.verdict = value;
  },
  judge(gate, look) {
    return gate.verdict ? [find(gate, look)] : [];
  },
};

function find(gate: Gate, look: Look): Finding {
  const now = look.standing();
  switch (now.kind) {
    case 'none':
      return { truth: 'unknown', why: 'the suite was never run', next: NEXT };
    case 'corrupt':
      return { truth: 'unknown', why: `no verdict: ${now.why}`, next: NEXT };
    case 'unattested': {
      const why = `the PASS on file is unattested: ${now.why}`;
      if (/touchstone config accept/.test(now.why))
        return { truth: 'unknown', why, next: 'ask the user: touchstone config accept' };
      return { truth: 'unknown', why, next: /touchstone freeze restore/.exec(now.why)?.[0] ?? NEXT };
    }
    case 'fail': {
      const failed = (now.sidecar?.counts?.failed ?? 0) > 0 && sameTree(look.tree(), seen(now.sidecar));
      const why = now.sidecar?.reason ?? now.why ?? now.stamp.at;
      return {
        truth: 'false',
        why: `the suite FAILS (${why})`,
        next: NEXT,
        ...(failed ? { failed: [why] } : {}),
      };
    }
    case 'pass': {
      const { sidecar } = now;
      // The stamp alone has whole seconds: within its second it may be older than anything that happened.
      const at = sidecar?.stampedMs ?? Date.parse(now.stamp.at);
      if (sidecar === null) {
        return look.freshByHand() === 'fresh'
          ? { truth: 'true', why: `the suite passed at ${now.stamp.at} (stamped by hand)`, at }
          : { truth: 'unknown', why: 'the PASS stamped by hand is older than the tree', next: NEXT };
      }
      if (sameTree(look.tree(), seen(sidecar)))
        return { truth: 'true', why: `the suite passed at ${now.stamp.at}`, at };
      if (sidecar.fingerprint === null || look.tree() === null)
        return { truth: 'unknown', why: 'the tree of the PASS cannot be compared', next: NEXT };
      const { head, fingerprint, raw, rules } = sidecar;
      const stamp = { head, fingerprint, raw, rules };
      const kept = look.holds(gate, stamp);
      return kept.holds
        ? { truth: 'true', why: `the PASS of ${now.stamp.at} still speaks: ${kept.why}`, at, stamp }
        : { truth: 'unknown', why: `the PASS of ${now.stamp.at} is stale: ${kept.why}`, next: NEXT };
    }
  }
}

function seen(sidecar: { fingerprint: string | null; raw: string | null } | null) {
  return sidecar?.fingerprint ? { value: sidecar.fingerprint, raw: sidecar.raw } : null;
}
