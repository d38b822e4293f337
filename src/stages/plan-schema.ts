/** The shape of `.claude/plan.json` for editors; what it means is judged by `plan.ts`. */
import { z } from 'zod';
import { checkKeys, checkSchema } from '../config/check-schema.ts';
import { LIMIT_RANGES } from './plan-types.ts';

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,79}$/);
const patterns = z.array(z.string().min(1)).describe('Shell globs, case-sensitive; `*` crosses `/`.');
const byRepository = z.union([patterns, z.record(name, patterns)]);
const limit = ({ usual, most }: { usual: number; most: number }) =>
  z.number().int().min(1).max(most).optional().describe(`Default ${usual}.`);

const repository = z.looseObject({
  id: name,
  path: z.string().optional().describe('From the project root; default ".", a sister checkout is "../lib".'),
  access: z.enum(['read', 'write']),
  branch: z.string().optional(),
  base: z.string().optional(),
  paths: patterns.optional(),
  test_paths: patterns.optional(),
});

const stage = z.looseObject({
  id: name,
  after: z.array(name).optional().describe('Default: the stage before it in the list.'),
  paths: byRepository.optional(),
  test_paths: byRepository.optional(),
  outputs: byRepository.optional().describe('What a stage of your own must leave, and may write.'),
  checks: z.array(z.string()).optional(),
  skill: z.string().optional(),
});

export const planSchema = z
  .looseObject({
    $schema: z.string().optional(),
    schema_version: z.literal(1),
    task: name,
    plan_files: z.array(z.string()).describe('prompt.md, requirements.md, implementation.md, deferred.md and others.'),
    repositories: z.array(repository).min(1),
    stages: z.array(z.union([name, stage])).min(1),
    commands: checkKeys.commands,
    checks: z.array(checkSchema.extend({ repository: name.optional() })).optional(),
    outcomes: z.array(z.looseObject({ id: z.string(), checks: z.array(z.string()).min(1) })).min(1),
    limits: z
      .looseObject({
        attempts_per_route: limit(LIMIT_RANGES.attempts_per_route),
        timeout_seconds: limit(LIMIT_RANGES.timeout_seconds),
        inactivity_seconds: limit(LIMIT_RANGES.inactivity_seconds),
        tool_timeout_seconds: limit(LIMIT_RANGES.tool_timeout_seconds),
      })
      .optional(),
    approved_no_red_reason: z.string().min(1).optional(),
    delivery: z
      .looseObject({
        commit_message: z.string().optional(),
        title: z.string().optional(),
        body_file: z.string().optional(),
      })
      .optional(),
  })
  .describe('A task in stages: what each may write, and which checks prove it.');
