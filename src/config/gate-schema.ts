import { z } from 'zod';

const names = z.union([z.string(), z.array(z.string()).min(1)]);
const globs = z.array(z.string().min(1)).min(1);

const gateSchema = z.looseObject({
  marker: z
    .union([z.literal(true), z.string()])
    .optional()
    .describe('true, or a path `.claude/state/markers/<name>.pass`: the step writes it after it passed.'),
  check: z
    .union([names, z.looseObject({ id: z.string(), phase: z.enum(['red', 'green']) })])
    .optional()
    .describe('Ids of declared checks; one of phase red is held to its red proof.'),
  verdict: z.boolean().optional().describe("The suite's verdict, fresh."),
  frozen: z.boolean().optional().describe('The frozen set is intact.'),
  after: names.optional().describe('Gates that must hold first.'),
  surface: z.string().optional().describe('What its evidence is about: a built-in surface or a key of `surfaces`.'),
  dispatch: names
    .optional()
    .describe('Commands, skills and subagents whose call starts an attempt, besides those named as the step.'),
  enforcement: z.enum(['advisory', 'gating', 'structural']).optional(),
  disabled: z
    .union([z.literal(true), z.string().min(1)])
    .optional()
    .describe('Why the gate is skipped. A gating one names the cause, a structural one cannot be disabled.'),
});

export const gateKeys = {
  gates: z.record(z.string(), gateSchema).optional().describe('Steps whose verdict is recomputed from evidence.'),
  gate: z
    .looseObject({ stop: z.array(z.string()).optional(), deliver: z.array(z.string()).optional() })
    .optional()
    .describe('Gates that must hold at the end of a turn, and before work leaves.'),
  surfaces: z
    .record(z.string(), globs)
    .optional()
    .describe('Globs of `runtime`, `test`, `docs`, and of names of your own.'),
};
