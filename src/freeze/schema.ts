import { z } from 'zod';
import type { Refused } from '../state/refused.ts';
import type { Broken } from './broken.ts';
import type { Manifest } from './manifest.ts';
import type { Quiet } from './quick.ts';
import type { Trace } from './trace.ts';
import type { Violation } from './violations.ts';

const manifest = z
  .object({
    schema: z.literal(1),
    frozenAt: z.string(),
    patterns: z.array(z.string()),
    record: z.string().nullable().describe('The red record that proved them; null for a freeze by hand.'),
    files: z.record(z.string(), z.object({ sha256: z.string(), mode: z.string() })),
    settings: z
      .record(z.string(), z.object({ sha256: z.string() }))
      .describe('Hash of the keys that decide which tests run and how.'),
    left: z.array(z.string()).describe('Under the patterns, and not to be held: named only.'),
    commit: z.string().describe('The kept bytes, in vault.git.'),
  })
  .describe('freeze.json: what red evidence has proven.') satisfies z.ZodType<Manifest>;

const trace = z
  .object({ patterns: z.array(z.string()), thawed: z.array(z.string()).describe('Paths a human opened since.') })
  .describe('frozen.json: that something is frozen, read at every tool call.') satisfies z.ZodType<Trace>;

const quiet = z
  .object({
    manifest: z.string(),
    patterns: z.array(z.string()),
    left: z.array(z.string()),
    settings: z.record(z.string(), z.string()),
  })
  .describe('freeze.stat.json: stat data of what was compared and found as frozen.') satisfies z.ZodType<Quiet>;

const broken = z
  .object({ schema: z.literal(1), since: z.string(), breaches: z.array(z.string()) })
  .describe('broken.json: breaches that stand open; no PASS counts while it is there.') satisfies z.ZodType<Broken>;

const violation = z
  .object({
    at: z.string(),
    session: z.string(),
    rule: z.string(),
    path: z.string(),
    what: z.string(),
    tool: z.string().nullable(),
    command: z.string().nullable(),
    restored: z.boolean(),
  })
  .describe('A line of violations.jsonl: what slipped past a guard.') satisfies z.ZodType<Violation>;

const consent = z
  .object({
    at: z.string(),
    act: z.enum(['thaw', 'allow']),
    who: z.enum(['prompt', 'terminal']),
    session: z.string().nullable(),
    paths: z.array(z.string()),
    reason: z.string().optional(),
  })
  .describe("A line of consent/log.jsonl: a human's act.");

const refused = z
  .object({ schema: z.literal(1), session: z.string(), paths: z.array(z.string()) })
  .describe('refused.json: frozen paths refused in the running turn.') satisfies z.ZodType<Refused>;

export const FREEZE_SCHEMAS = {
  freeze: manifest,
  frozen: trace,
  'freeze-stat': quiet,
  broken,
  violation,
  consent,
  refused,
};
