import { z } from 'zod';
import type { GreenLine } from './green.ts';
import type { Sidecar } from './sidecar.ts';

const count = z.number().int().nonnegative();

export const sidecarSchema = z.object({
  schema: z.literal(1),
  verdict: z.enum(['PASS', 'FAIL']),
  class: z.string(),
  reason: z.string().nullable(),
  command: z.string(),
  exitCode: z.number().int(),
  signal: z.string().nullable(),
  stampedAt: z.string(),
  stampedMs: z.number().optional().describe('The same, Unix ms.'),
  durationMs: z.number(),
  statefile: z.string().describe("SHA-256 of the statefile's bytes this sidecar belongs to."),
  fingerprint: z.string().nullable(),
  raw: z.string().nullable(),
  head: z.string().nullable(),
  rules: z.string().describe('Hash of the trust-bearing rules the suite ran under.'),
  counts: z.object({ passed: count, failed: count, errored: count, skipped: count, todo: count }).nullable(),
  runner: z.string().nullable(),
  slug: z.string(),
  streak: count,
  tail: z.string(),
  by: z.enum(['verify', 'stop', 'observation']),
}) satisfies z.ZodType<Sidecar>;

export const greenSchema = z
  .object({
    schema: z.literal(1),
    at: z.string(),
    fingerprint: z.string().describe('Content hash of the tree the whole suite ran on.'),
    head: z.string().nullable(),
    rules: z.string().describe('Hash of the trust-bearing rules the suite ran under.'),
    by: z.enum(['verify', 'stop', 'observation']),
    verdict: z.enum(['PASS', 'FAIL']).describe('FAIL takes an earlier PASS of the same tree back.'),
  })
  .describe('One line of evidence/green.jsonl.') satisfies z.ZodType<GreenLine>;
