import { z } from 'zod';
import type { CheckRecord } from './evidence.ts';
import type { Observation } from './observation.ts';

const count = z.number().int().nonnegative();
const counts = z.object({ passed: count, failed: count, errored: count, skipped: count, todo: count });
const resultClass = z.enum([
  'green',
  'red-assertion',
  'setup-error',
  'no-tests',
  'skipped',
  'ambiguous',
  'crash',
  'timeout',
  'inactive',
  'output-limit',
  'cancelled',
]);

const entry = z.object({
  id: z.string(),
  repository: z.string(),
  command: z.string().describe('Redacted.'),
  cwd: z.string(),
  parser: z.string().describe('The runner that read the output.'),
  phase: z.enum(['red', 'green']),
  identities: z.array(z.string()),
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  reason: z.enum(['timeout', 'inactive', 'output-limit', 'cancelled', 'watch', 'unlaunchable']).nullable(),
  class: resultClass,
  counts,
  failed_identities: z.array(z.string()),
  passed_identities: z.array(z.string()),
  output: z.string().describe('Head and tail, redacted.'),
  log: z.string().describe('The whole output, redacted, relative to .claude/state.'),
  duration_seconds: z.number().nonnegative(),
  started_at: z.string(),
  environment: z.string().optional(),
  approved_skip_reason: z.string().nullable(),
  passed: z.boolean(),
  problems: z.array(z.string()).describe('Every reason why it did not pass.'),
  notes: z.array(z.string()),
});

export const checkRecordSchema = z
  .object({
    schema: z.literal(1),
    changes: z.record(z.string(), z.array(z.string())).describe('Paths that differ from HEAD, by repository.'),
    checks: z.array(entry).min(1),
    fingerprint: z.string().nullable(),
    raw: z.string().nullable(),
    head: z.string().nullable(),
    passed: z.boolean(),
    rules: z.array(z.object({ rule: z.string(), enforcement: z.string(), path: z.string() })),
    contract: z.string().describe('Hash of the trust-bearing rules the check ran under.'),
    red: z
      .object({
        outcome: z.literal('specs-generated'),
        command: z.string(),
        targetSpecs: z.array(z.string()),
        executed: count,
        passed: count,
        failed: count,
        skipped: count,
        errors: count,
        failingTests: z.array(z.string()),
      })
      .optional(),
  })
  .describe('What one run of a check showed.') satisfies z.ZodType<CheckRecord>;

export const observationSchema = z
  .object({
    schema: z.literal(1),
    at: z.string(),
    session: z.string(),
    subject: z.object({ suite: z.boolean(), checks: z.array(z.string()) }),
    command: z.string().describe('Redacted.'),
    masked: z.string().nullable().describe('Why the exit code of the command is not that of the run.'),
    exit: z.number().int().nullable(),
    class: resultClass.nullable().describe('Null where the outcome could not be seen.'),
    runner: z.string().nullable(),
    counts: counts.nullable(),
    complete: z.boolean(),
    failed_identities: z.array(z.string()),
    lowered: z.boolean().describe('The verdict was set to FAIL by it.'),
  })
  .describe('One line of observations.jsonl: a run an agent started and we saw.') satisfies z.ZodType<Observation>;
