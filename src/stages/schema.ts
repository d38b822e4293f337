import { z } from 'zod';
import { checkRecordSchema } from '../checks/schema.ts';
import type { Owner } from '../runs/types.ts';
import type { Binding } from './bind.ts';
import type { DeliveryState } from './delivery-state.ts';
import type { Open } from './open.ts';
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

const trees = z.record(z.string(), tree);
const sights = z.record(z.string(), z.record(z.string(), z.unknown())).describe('Snapshot of each repository.');

const taskSchema = z
  .object({
    schema: z.literal(1),
    task: z.string(),
    binding: z.string(),
    boundAt: z.string(),
    baseline: sights,
    completed: z.record(z.string(), z.object({ at: z.string(), record: z.string(), fingerprint: z.string(), trees })),
    open: z
      .object({
        id: z.string(),
        startedAt: z.string(),
        before: sights,
        verifying: z
          .object({
            trees,
            rules: z.string(),
            checks: z.array(z.object({ id: z.string(), phase: z.string(), record: z.string() })),
          })
          .nullable()
          .describe('Checks that passed in a finish that was broken off.'),
      })
      .nullable(),
    red: z.object({ record: z.string(), tests: z.record(z.string(), texts) }).nullable(),
    green: z.object({ record: z.string(), fingerprint: z.string(), trees }).nullable(),
    attempts: z.array(
      z.object({
        stage: z.string(),
        at: z.string(),
        summary: z.string().nullable().describe('What the agent said. It counts for nothing.'),
        record: z.string().nullable(),
        passed: z.boolean(),
        reused: z.boolean(),
        failure: z.string().nullable(),
      }),
    ),
    pending: z.object({ stage: z.string(), question: z.string(), at: z.string() }).nullable(),
    answers: z.array(z.object({ stage: z.string(), question: z.string(), answer: z.string(), at: z.string() })),
  })
  .describe('stages/task.json: where a bound task stands.');

const openSchema = z
  .object({
    stage: z.string(),
    areas: z.array(
      z.object({ id: z.string(), root: z.string(), access: z.enum(['read', 'write']), allow: z.array(z.string()) }),
    ),
  })
  .describe('stages/open.json: what may be written while a stage is open.') satisfies z.ZodType<Open>;

const runnerSchema = z
  .object({ pid: z.number().int(), start: z.string().nullable() })
  .describe('stages/runner.json: the process at work on the plan.') satisfies z.ZodType<Owner>;

export const STAGE_SCHEMAS = {
  stage: stageRecordSchema,
  binding: bindingSchema,
  delivery: deliverySchema,
  task: taskSchema,
  'open-stage': openSchema,
  runner: runnerSchema,
};
