/** The full schema of `.claude/project.json`: the CLI and session start validate by it; the hook path reads plainly. */
import { join } from 'node:path';
import { z } from 'zod';
import { readState } from '../state/atomic.ts';
import { PROJECT_FILE } from '../state/paths.ts';
import { checkKeys } from './check-schema.ts';
import { gateKeys } from './gate-schema.ts';

const policy = z.enum(['require', 'warn', 'off']);
const globs = z.array(z.string().min(1));

export const projectSchema = z
  .looseObject({
    $schema: z.string().optional(),
    test: z
      .looseObject({
        cmd: z.string().describe('The whole suite, run verbatim from the project root by `touchstone verify`.'),
        runner: z.string().optional().describe('Name of the runner, where its output should not be guessed.'),
        success_pattern: z.string().optional().describe('For a suite whose output no runner file reads.'),
        failure_pattern: z.string().optional(),
        timeout_seconds: z.number().positive().max(86_400).optional(),
      })
      .optional(),
    verdict: z
      .looseObject({ trust: z.enum(['attested', 'any']).optional() })
      .optional()
      .describe('`any` accepts a PASS stamped by hand.'),
    claims: z
      .looseObject({ paths: globs.optional() })
      .optional()
      .describe('Claim artifacts: files in which a verdict is claimed.'),
    frozen: z.looseObject({ paths: globs.optional(), restore: z.enum(['manual', 'auto']).optional() }).optional(),
    delivery: z.looseObject({ commit: policy.optional(), push: policy.optional(), pr: policy.optional() }).optional(),
    ci: z
      .looseObject({ allow: globs.optional().describe('Paths whose changes `touchstone ci` lets through.') })
      .optional(),
    rules: z
      .array(
        z.looseObject({
          id: z.string(),
          guidance: z.string(),
          enforcement: z.enum(['blocking', 'advisory', 'prose']),
          paths: globs.optional(),
          repositories: globs.optional(),
          command: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
          forbidden_pattern: z.string().optional(),
        }),
      )
      .optional()
      .describe('What a change may not do, whatever its tests say.'),
    ...checkKeys,
    ...gateKeys,
  })
  .describe('What counts as proof in this project.');

export type Fault = {
  path: string;
  message: string;
  cure?: string;
  /** Said, and no reason to refuse. */
  warning?: true;
};

const CONTRACT_KEYS = new Set([...Object.keys(checkKeys), ...Object.keys(gateKeys), 'rules']);

/** `contract` speaks for commands, checks, outcomes and gates where it is given: it knows more of them than their shape. */
export function validateProject(root: string, contract?: (raw: unknown) => Fault[]): Fault[] {
  const read = readState(join(root, PROJECT_FILE));
  if (read.kind === 'missing') return [{ path: '', message: 'there is none; run `touchstone init`' }];
  if (read.kind === 'unusable') return [{ path: '', message: read.why }];
  let raw: unknown;
  try {
    raw = JSON.parse(read.text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return [{ path: '', message: `not JSON (${(error as Error).message})` }];
  }
  const parsed = projectSchema.safeParse(raw);
  const issues = parsed.success ? [] : parsed.error.issues;
  const shape = issues.filter(issue => contract === undefined || !CONTRACT_KEYS.has(String(issue.path[0])));
  return [...shape.map(issue => ({ path: issue.path.join('.'), message: issue.message })), ...(contract?.(raw) ?? [])];
}
