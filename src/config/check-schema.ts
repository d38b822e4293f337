import { z } from 'zod';

const identifier = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/i, 'must be a short name of letters, digits, ".", "_" and "-"');

const argv = z.array(z.string()).min(1);
const seconds = (most: number) => z.number().positive().max(most);

const commandKeys = {
  cwd: z.string().optional().describe('Relative to the project root.'),
  timeout_seconds: seconds(86_400).optional(),
  inactivity_seconds: seconds(3_600).optional().describe('Ends a run that prints nothing for this long.'),
  env: z.record(z.string(), z.string()).optional(),
  env_refs: z.array(z.string()).optional().describe('Names of secret environment variables the check may see.'),
};

const reportFiles = z.union([z.string(), z.array(z.string()).min(1)]);

export const checkSchema = z.looseObject({
  id: identifier,
  command: z.union([argv, z.string()]).describe('argv, or the name of an entry in `commands`.'),
  ...commandKeys,
  runner: z.string().optional(),
  phases: z.array(z.enum(['red', 'green'])).optional(),
  identities: z.array(z.string().min(1)).optional(),
  success_pattern: z.string().optional(),
  failure_pattern: z.string().optional(),
  approved_skip_reason: z.string().min(1).optional(),
  environment: z.string().optional(),
  junit: reportFiles.optional().describe('JUnit files the runner leaves, relative to cwd; `*` in the last part.'),
  report: reportFiles.optional().describe("Files in the runner's own format (JSON, TRX), relative to cwd."),
});

export const checkKeys = {
  commands: z.record(z.string(), z.union([argv, z.looseObject({ argv, ...commandKeys })])).optional(),
  checks: z.array(checkSchema).optional(),
  outcomes: z.array(z.looseObject({ id: identifier, checks: z.array(z.string()) })).optional(),
};
