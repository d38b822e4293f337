import { z } from 'zod';
import type { ChangedFile } from '../repo/attribution.ts';
import type { SnapshotEntry } from '../repo/snapshot.ts';
import {
  type ClaimCheck,
  type EvidenceRecord,
  KINDS,
  OUTCOMES,
  REASONS,
  type RunEvent,
  type RunnerClaims,
  type RunRecord,
  STATUSES,
  type Verification,
} from './types.ts';

const texts = z.array(z.string());
const version = z.string().regex(/^1\./);
const runId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
const status = z.enum(STATUSES);
const outcome = z.enum([...OUTCOMES, 'interrupted']);
const owner = z.object({ pid: z.number().int(), start: z.string().nullable() });

export const runRecordSchema = z
  .looseObject({
    schemaVersion: version,
    runId,
    kind: z.enum(KINDS),
    specName: z.string(),
    taskId: z.string().optional(),
    runner: z.string(),
    sessionId: z.string().optional(),
    subagentId: z.string().optional(),
    parentRunId: z.string().optional(),
    createdAt: z.string(),
    finishedAt: z.string().optional(),
    durationMs: z.number().nonnegative().optional(),
    outcome: outcome.optional(),
    evidenceStatus: status.optional(),
    applied: z.boolean().optional().describe('The checkbox was ticked.'),
    resumeSupported: z.boolean(),
    warnings: texts,
    lifecycleStatus: z.enum(['OPEN', 'AWAITING_AGENT_CHANGES', 'COMPLETED', 'INTERRUPTED', 'ABORTED']),
    host: z.string().optional(),
    abortReason: z.string().optional(),
    owner: owner.nullable().optional().describe('The process whose end ends the run.'),
    closing: z.object({ by: owner, at: z.string(), outcome }).optional(),
    notKept: texts.optional().describe('Files that the disk did not take.'),
  })
  .describe('One run: unknown fields survive updates.') satisfies z.ZodType<RunRecord>;

const changedFile = z.object({
  path: z.string(),
  changeType: z.enum(['added', 'modified', 'deleted']),
  preExisting: z.boolean(),
  modifiedDuringRun: z.boolean(),
  renamedFrom: z.string().optional(),
  modeChange: z.object({ from: z.string(), to: z.string() }).optional(),
  committed: z.literal(true).optional(),
}) satisfies z.ZodType<ChangedFile>;

export const changedFilesSchema = z.object({ changedFiles: z.array(changedFile), ambiguousPaths: texts });

const entry = z.object({
  path: z.string(),
  status: z.string(),
  contentHash: z.string().optional(),
  blob: z.string().optional(),
  mode: z.string().optional(),
  linkTarget: z.string().optional(),
  headBlob: z.string().optional(),
  headMode: z.string().optional(),
  repository: z.enum(['submodule', 'nested']).optional(),
}) satisfies z.ZodType<SnapshotEntry>;

export const snapshotSchema = z
  .object({
    schemaVersion: version,
    capturedAt: z.string(),
    gitAvailable: z.boolean(),
    head: z.string().optional(),
    branch: z.string().optional(),
    detached: z.boolean(),
    clean: z.boolean(),
    entries: z.array(entry),
    excludedPrefixes: texts,
    protectedHashes: z.record(z.string(), z.string()),
    diagnostics: z.array(z.object({ severity: z.enum(['error', 'warning']), code: z.string(), message: z.string() })),
  })
  .describe('git-before.json, git-after.json, git-start.json.');

const claims = z.object({
  outcome: z.string().optional(),
  summary: z.string().optional(),
  changedFiles: texts,
  commandsReported: texts,
  testsReported: z.array(z.object({ name: z.string(), status: z.string() })),
  statements: z.array(z.object({ kind: z.string(), text: z.string() })),
  truncated: z.literal(true).optional(),
}) satisfies z.ZodType<RunnerClaims>;

const claimCheck = z.object({
  kind: z.enum(['file', 'command', 'tests', 'build', 'types', 'lint', 'verified', 'done', 'fixed', 'deployed']),
  text: z.string(),
  reason: z.enum(REASONS),
  against: z.string().optional(),
}) satisfies z.ZodType<ClaimCheck>;

const command = z.object({
  name: z.string(),
  argv: texts,
  required: z.boolean(),
  exitCode: z.number().int().nullable(),
  durationMs: z.number(),
  passed: z.boolean(),
  reused: z.literal('reused-evidence').optional(),
  why: z.string().optional(),
});

export const verificationSchema = z.object({
  ran: z.boolean(),
  skipped: z.string().nullable(),
  configured: z.boolean(),
  commands: z.array(command.extend({ stdoutTail: z.string().optional(), stderrTail: z.string().optional() })),
  requiredFailed: texts,
  optionalFailed: texts,
  passed: z.boolean(),
  fingerprint: z.string().nullable().describe('The tree the commands ran on.'),
}) satisfies z.ZodType<Verification>;

const specContext = z.object({
  documentHash: z.string().nullable(),
  designHash: z.string().nullable(),
  tasksPlanHash: z.string(),
  taskFingerprint: z.string(),
  taskText: z.string(),
});

export const evidenceRecordSchema = z
  .object({
    schemaVersion: version,
    runId,
    parentRunId: z.string().optional(),
    specName: z.string(),
    taskId: z.string(),
    status,
    runner: z.string(),
    sessionId: z.string().optional(),
    repository: z.object({
      headBefore: z.string().optional(),
      headAfter: z.string().optional(),
      branch: z.string().optional(),
      dirtyBefore: z.boolean(),
      dirtyAfter: z.boolean(),
      fingerprintAfter: z.string().nullable(),
    }),
    changedFiles: z.array(changedFile),
    verificationCommands: z.array(command),
    verificationSkipped: z.boolean(),
    runnerClaims: claims.describe('What the agent said, verbatim; never credited.'),
    claimChecks: z.array(claimCheck),
    violations: texts,
    warnings: texts,
    reasons: texts,
    evaluatedAt: z.string(),
    contract: z.string().describe('Hash of the rules in force.'),
    manualAcceptance: z
      .object({
        actor: z.literal('local-user'),
        reason: z.string(),
        acceptedAt: z.string(),
        referencedRunId: z.string().optional(),
      })
      .optional(),
    specContext: specContext.optional(),
  })
  .describe('One attempt; append-only.') satisfies z.ZodType<EvidenceRecord>;

export const runEventSchema = z
  .looseObject({
    at: z.string(),
    type: z.string(),
    tool: z.string().optional(),
    id: z.string().optional(),
    command: z.string().optional().describe('Redacted.'),
    writes: texts.optional(),
    failed: z.boolean().optional(),
    exit: z.number().int().optional(),
    background: z.boolean().optional(),
    tail: z.string().optional().describe('Last part of what a command printed, redacted.'),
    bytes: z.number().optional(),
  })
  .describe('One line of events.jsonl.') satisfies z.ZodType<RunEvent>;

export const runnerRequestSchema = z
  .looseObject({
    runner: z.string(),
    argv: texts.optional().describe('Redacted.'),
    taskId: z.string().nullable().optional(),
    timeoutMs: z.number().optional(),
    sessionId: z.string().nullable().optional(),
    allowDirty: z.boolean().optional(),
    noVerify: z.boolean().optional(),
    protect: texts,
    protectedPaths: texts.optional(),
    taskFile: z.string().optional().describe('The task list, from the root.'),
    specContext: specContext.optional(),
  })
  .describe('Who was asked, and how.');

export const runnerResultSchema = z
  .looseObject({
    outcome,
    message: z.string(),
    report: z.looseObject({}).nullable(),
    sessionId: z.string().nullable(),
    failureReason: z.string().nullable(),
    process: z.looseObject({}).nullable(),
    resumeSupported: z.boolean(),
    durationMs: z.number(),
    warnings: texts,
  })
  .describe('How the agent ended, and what it said.');

export const checkboxUpdateSchema = z.object({
  filePath: z.string(),
  line: z.number().int().nonnegative().describe('Counts from 0.'),
  before: z.string(),
  after: z.string(),
  approvalRehashed: z.boolean(),
});

export const runReportSchema = z.object({
  schema: z.literal('touchstone.run-report/1'),
  report: z.object({
    run: runRecordSchema,
    evidence: evidenceRecordSchema,
    verification: verificationSchema,
    ambiguousPaths: texts,
  }),
});

export const openRunSchema = z
  .object({ run: runId, session: z.string(), subagent: z.string().optional(), by: z.number().int().optional() })
  .describe('open-runs/<key>.json: the run that is open for a session.');

export const RUN_SCHEMAS: Record<string, z.ZodType> = {
  run: runRecordSchema,
  'run-request': runnerRequestSchema,
  'run-result': runnerResultSchema,
  'run-snapshot': snapshotSchema,
  'run-changes': changedFilesSchema,
  'run-event': runEventSchema,
  'run-verification': verificationSchema,
  'run-evidence': evidenceRecordSchema,
  'run-checkbox': checkboxUpdateSchema,
  'run-report': runReportSchema,
  'run-open': openRunSchema,
};
