import { z } from 'zod';
import type { Acceptance } from '../config/trust.ts';
import type { SessionFile } from './session.ts';

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
    }),
  ),
}) satisfies z.ZodType<SessionFile>;

export const acceptedSchema = z.object({
  sha256: z.string().describe('Hash of the trust-bearing rules a human accepted.'),
  at: z.string(),
  by: z.string(),
}) satisfies z.ZodType<Acceptance>;
