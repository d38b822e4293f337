import { z } from 'zod';
import type { Acceptance } from '../config/trust.ts';
import type { GateFile, Ledger } from './gate.ts';
import type { SessionFile } from './session.ts';
import type { Baseline } from './watched.ts';

export const sessionSchema = z.object({
  schema: z.literal(1),
  sessions: z.array(
    z.object({
      id: z.string(),
      startedAt: z.number().describe('Unix ms: the session floor, compared exactly.'),
      head: z.string().nullable(),
      fingerprint: z.string().nullable(),
      turnBlocks: z.number().int(),
      treeBlocks: z.number().int(),
      blockedTree: z.string().nullable(),
      lastStop: z.enum(['blocked', 'ended']).nullable(),
      claimAnswered: z.boolean(),
      unverified: z.object({ at: z.string(), why: z.string(), fingerprint: z.string().nullable() }).nullable(),
      red: z.boolean(),
      wired: z.array(z.object({ file: z.string(), hooks: z.array(z.string()) })),
      endedAt: z.string().nullable(),
      attempts: z.record(z.string(), z.number()).describe('Unix ms by step: attempt floors, 2 s tolerance.'),
      seen: z
        .record(z.string(), z.string())
        .optional()
        .describe('By step: the pass marker as it lay there when the floor was taken.'),
      turnTree: z.string().nullable().optional().describe('Tree at the last end of a turn.'),
    }),
  ),
}) satisfies z.ZodType<SessionFile>;

export const acceptedSchema = z.object({
  sha256: z.string().describe('Hash of the trust-bearing rules a human accepted.'),
  at: z.string(),
  by: z.string(),
}) satisfies z.ZodType<Acceptance>;

const kickback = z.object({
  from: z.string().describe('The step that re-opened the gate.'),
  evidence: z.string(),
  at: z.number(),
});

const failure = z.object({
  observedAt: z.number(),
  headSha: z.string().nullable(),
  fingerprint: z.string().nullable(),
  failRows: z.array(z.string()).max(20),
  by: z.enum(['judged', 'observed']),
});

export const gateSchema = z.object({
  schema: z.literal(1),
  step: z.string(),
  satisfied: z.boolean().nullable().describe('null: nothing was observed.'),
  reason: z.string(),
  checkedAt: z.number().describe('Unix ms.'),
  since: z.number().describe('When `satisfied` last became what it is.'),
  skipped: z.string().optional().describe('Why the gate was not asked: deliberately not run, never passed.'),
  causes: z.array(
    z.object({
      condition: z.string(),
      truth: z.enum(['true', 'false', 'unknown']),
      why: z.string(),
      next: z.string().optional(),
    }),
  ),
  comparison: z
    .object({
      artifact: z.string(),
      mtimeMs: z.number(),
      floorMs: z.number(),
      floorSource: z.enum(['attempt', 'session']),
      outcome: z.enum(['rewritten', 'stale_invalidated', 'preserved_surface_miss']),
    })
    .optional(),
  fingerprint: z.string().optional(),
  stamp: z
    .object({
      head: z.string().nullable(),
      fingerprint: z.string(),
      raw: z.string().nullable(),
      rules: z.string(),
      marker: z.string().optional(),
    })
    .optional()
    .describe('What the marker was formed against.'),
  failure: failure.optional(),
  kickback: kickback.optional(),
  answered: z.number().optional().describe('Time of the newest kickback or failure that later evidence answered.'),
}) satisfies z.ZodType<GateFile>;

const count = z.number().int().nonnegative();

export const ledgerSchema = z.object({
  schema: z.literal(1),
  gates: z.record(
    z.string(),
    z.object({
      count: count.describe('Re-openings at `treeHash`.'),
      cumulative: count,
      treeHash: z.string().nullable(),
      trees: z.record(z.string(), count).optional().describe('Re-openings at each tree, since more was resolved.'),
      resolvedBefore: count.optional().describe('Tasks resolved at the last re-opening.'),
      lastReason: z.string(),
      mechanicalFaults: count,
      lastMechanicalFault: z.string().optional(),
      kickback: kickback.optional(),
    }),
  ),
  failures: z.record(z.string(), failure).describe('By the step that may not pass over it at the same commit.'),
}) satisfies z.ZodType<Ledger>;

const seen = z.tuple([z.string(), z.string()]).describe('Signature by stat, and hash.');
export const watchSchema = z
  .object({
    schema: z.literal(1),
    ledger: z.number().int().describe('How much of watch.log is taken in, bytes.'),
    state: z.record(z.string(), seen),
    hooks: z.record(z.string(), seen),
    settings: z.record(z.string(), z.array(z.string())).describe('Hooks of ours in each settings file.'),
    hooksPath: z.string(),
    rules: seen,
    claims: z.record(z.string(), z.tuple([z.string(), z.array(z.string())])),
  })
  .describe('watch.json: the picture that the check after a call compares.') satisfies z.ZodType<Baseline>;
