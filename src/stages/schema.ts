import { z } from 'zod';
import { checkRecordSchema } from '../checks/schema.ts';
import type { Binding } from './bind.ts';
import type { DeliveryState } from './delivery-state.ts';
import type { StageRecord } from './record.ts';

const texts = z.record(z.string(), z.string());
const paths = z.record(z.string(), z.array(z.string()));
const tree = z.object({ value: z.string(), raw: z.string().nullable(), head: z.string().nullable() });

const failure = z.object({
  step: z.enum(['scope', 'frozen', 'pre-existing', 'outputs', 'rules', 'checks', 'second-look']),
  heading: z.string(),
  lines: z.array(z.string()),
});

const stageRecordSchema = z
  .object({
    schema: z.literal(1),
    stage: z.string(),
    task: z.string(),
    changes: paths.describe('Paths the stage changed, by repository.'),
    checks: checkRecordSchema.shape.checks.element.array(),
    fingerprint: z.string().describe('The tree of the project, or one hash of the trees of all repositories.'),
    trees: z.record(z.string(), tree),
    passed: z.boolean(),
    rules: z.array(
      z.object({
        rule: z.string(),
        enforcement: z.enum(['blocking', 'advisory']),
        path: z.string(),
        line: z.number().int().optional(),
        why: z.string(),
      }),
    ),
    failures: z.array(failure).describe('In the order in which they are judged: the first is the reason.'),
    phase: z.enum(['red', 'green']).nullable(),
    complete: z.boolean().describe('The checks were all green checks of the plan.'),
    binding: z.string(),
    contract: z.string().describe('Hash of the trust-bearing rules.'),
    accepted: z.boolean().describe('A human accepted those rules.'),
    summary: z.string().nullable().describe('What the agent said. It counts for nothing.'),
    started_at: z.string(),
    finished_at: z.string(),
  })
  .describe('What one attempt at a stage showed.') satisfies z.ZodType<StageRecord>;

const bindingSchema = z
  .object({
    schema: z.literal(1),
    sha256: z.string().describe('Of everything below, keys sorted.'),
    at: z.string(),
    version: z.string(),
    plan: z.unknown(),
    rules: z.unknown(),
    texts: texts.describe('The plan files.'),
    skills: texts.describe('Files that guide single stages.'),
  })
  .describe('What a task stands on.') satisfies z.ZodType<Binding>;

const deliverySchema = z
  .object({
    schema: z.literal(1),
    task: z.string(),
    binding: z.string(),
    checks: z
      .record(z.string(), z.object({ record: z.string(), prints: texts, contract: z.string() }))
      .describe('Checks that passed, with the fingerprint of each repository then.'),
    repositories: z
      .record(z.string(), z.object({ commit: z.string(), fingerprint: z.string(), at: z.string() }))
      .describe('Repositories found fit to leave, at this commit.'),
  })
  .describe('What of a task in several repositories was proven.') satisfies z.ZodType<DeliveryState>;

export const STAGE_SCHEMAS = { stage: stageRecordSchema, binding: bindingSchema, delivery: deliverySchema };
