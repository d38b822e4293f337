/** What conditions ask of the disk, each read once in an evaluation and only when asked. */
import type { Project } from '../config/project.ts';
import { hasAcceptance, isAccepted, trustHash } from '../config/trust.ts';
import { checkFrozen } from '../freeze/check.ts';
import { readTrace } from '../freeze/trace.ts';
import { freshness } from '../verdict/freshness.ts';
import { standing } from '../verdict/standing.ts';
import { measureTree, type Tree } from '../verdict/tree.ts';
import { floorFor } from './floors.ts';
import type { Gate, GateCheck, GateFile, GateRead, Look, Recorded, Records, Stamp } from './gate.ts';
import { readLedger } from './kickback.ts';
import { readGateFile } from './record.ts';
import { recordNames, recordsOf } from './records.ts';
import { readSessions } from './session.ts';
import { readHalt } from './signals.ts';
import { stampHolds } from './stamps.ts';
import type { Surfaces } from './surfaces.ts';

export type LookOptions = {
  now?: number;
  /** The session whose floors count. */
  session?: string;
  /** The tree, where it was measured already. */
  tree?: Tree | null;
  /** Measures it once for several looks. */
  treeOf?: () => Tree | null;
  /** The verdicts as they lie there, read once. */
  readOf?: (step: string) => GateRead;
};

export function lookFor(
  root: string,
  project: Project,
  surfaces: Surfaces,
  judged: ReadonlyMap<string, GateFile>,
  tainted: (gate: Gate) => boolean,
  options: LookOptions,
): Look {
  const claims = project.claims.paths;
  const tree = once(() => {
    if (options.tree !== undefined) return options.tree;
    return options.treeOf ? options.treeOf() : measureTree(root, claims);
  });
  const sessions = once(() => readSessions(root).sessions);
  const rules = once(() => trustHash(root));
  const names = once(() => recordNames(root));
  const stands = once(() => standing(root, project));
  const read = options.readOf ?? keyed((step: string) => readGateFile(root, step));
  const held = keyed((key: string) => {
    const { stamp, surface } = JSON.parse(key) as { stamp: Stamp; surface: string };
    return stampHolds({ root, surfaces, claims, rules: rules(), tree: tree() }, stamp, surface);
  });
  const records = keyed((key: string): Records => {
    const source = recordsOf(root, names(), JSON.parse(key) as GateCheck);
    const got: Recorded[] = [];
    const at = (index: number): Recorded | undefined => {
      while (got.length <= index) {
        const next = source.next();
        if (next.done) return undefined;
        got.push(next.value);
      }
      return got[index];
    };
    return {
      newest: () => at(0),
      find(test) {
        for (let i = 0; ; i++) {
          const record = at(i);
          if (record === undefined || test(record)) return record;
        }
      },
    };
  });
  return {
    root,
    now: options.now ?? Date.now(),
    halt: once(() => readHalt(root)),
    rules,
    accepted: once(() => isAccepted(root, rules()) || !hasAcceptance(root)),
    tree,
    standing: stands,
    freshByHand: once(() => freshness(root, claims, stands(), tree())),
    frozen: once(() => {
      const trace = readTrace(root, project.frozen.paths);
      return trace === null ? null : checkFrozen(root, trace);
    }),
    records: asked => records(JSON.stringify({ id: asked.id, phase: asked.phase })),
    sessions,
    floorOf: step => floorFor(sessions(), step, options.session),
    read,
    prev(step) {
      const file = read(step);
      return file.kind === 'value' ? file.value : null;
    },
    ledger: once(() => readLedger(root)),
    gate: step => judged.get(step)!,
    holds(gate, stamp) {
      if (gate.surface === null) return { holds: false, why: 'the gate has no surface', withheld: true };
      if (tainted(gate)) return { holds: false, why: 'a failure is on record', withheld: true };
      const { head, fingerprint, raw, rules: under } = stamp;
      return held(JSON.stringify({ stamp: { head, fingerprint, raw, rules: under }, surface: gate.surface }));
    },
    stampTree() {
      const now = tree();
      return now === null ? null : { head: now.head, fingerprint: now.value, raw: now.raw, rules: rules() };
    },
  };
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function keyed<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return key => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}
