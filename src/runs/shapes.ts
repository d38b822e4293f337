/**
 * What a file of a run must hold before anything looks into it: people and other programs edit them. Plain checks, because
 * hooks read these files too; each names the first field that is not as it should be.
 */
import { isRecord } from '../config/project.ts';
import { inside } from './settings.ts';

type Check = (value: unknown) => boolean;
type Fields = Record<string, Check>;

const text: Check = value => typeof value === 'string';
const flag: Check = value => typeof value === 'boolean';
const number: Check = value => typeof value === 'number';
const maybe =
  (check: Check): Check =>
  value =>
    value === undefined || check(value);
const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value);
const list =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check);
const fields =
  (known: Fields): Check =>
  value =>
    isRecord(value) && wrongIn(value, known) === null;
const texts = list(text);

const wrongIn = (value: Record<string, unknown>, known: Fields): string | null =>
  Object.keys(known).find(key => !known[key]!(value[key])) ?? null;

/** What is wrong with a value, or null. */
export type Shape = (value: unknown) => string | null;

const shape =
  (known: Fields): Shape =>
  value => {
    if (!isRecord(value)) return 'is not a JSON object';
    const key = wrongIn(value, known);
    return key === null ? null : value[key] === undefined ? `has no ${key}` : `has an unusable ${key}`;
  };

const owner = fields({ pid: number, start: orNull(text) });

/** Beside the fields whose values the reader looks at: those that anything else takes for granted. */
export const runShape = shape({
  taskId: maybe(text),
  sessionId: maybe(text),
  subagentId: maybe(text),
  parentRunId: maybe(text),
  finishedAt: maybe(text),
  durationMs: maybe(number),
  outcome: maybe(text),
  host: maybe(text),
  abortReason: maybe(text),
  owner: maybe(orNull(owner)),
  closing: maybe(fields({ by: owner, outcome: text })),
  notKept: maybe(texts),
});

const changedFile = fields({
  path: text,
  changeType: text,
  preExisting: flag,
  modifiedDuringRun: flag,
  renamedFrom: maybe(text),
  modeChange: maybe(fields({ from: text, to: text })),
});

const command: Fields = {
  name: text,
  argv: texts,
  required: flag,
  exitCode: orNull(number),
  durationMs: number,
  passed: flag,
  reused: maybe(text),
  why: maybe(text),
};

const specContext = fields({ tasksPlanHash: text, taskFingerprint: text, taskText: text });

const hashes: Check = value => isRecord(value) && Object.values(value).every(text);

/** The JSON files of a run directory that are read again. */
export const SHAPES = {
  'git-before.json': snapshot(),
  'git-start.json': snapshot(),
  'git-after.json': snapshot(),
  'runner-request.json': shape({
    argv: maybe(texts),
    protect: maybe(texts),
    protectedPaths: maybe(texts),
    allowDirty: maybe(flag),
    noVerify: maybe(flag),
    taskFile: maybe(value => typeof value === 'string' && inside(value)),
    specContext: maybe(specContext),
  }),
  'runner-result.json': shape({ outcome: text, message: text }),
  'changed-files.json': shape({ changedFiles: list(changedFile), ambiguousPaths: texts }),
  'verification.json': shape({
    ran: flag,
    skipped: orNull(text),
    configured: flag,
    commands: list(fields({ ...command, stdoutTail: maybe(text), stderrTail: maybe(text) })),
    requiredFailed: texts,
    optionalFailed: texts,
  }),
} as const satisfies Record<string, Shape>;

export type RunFile = keyof typeof SHAPES;

export const evidenceShape = shape({
  runId: text,
  specName: text,
  taskId: text,
  runner: text,
  evaluatedAt: text,
  contract: text,
  repository: fields({ headBefore: maybe(text), headAfter: maybe(text), fingerprintAfter: orNull(text) }),
  changedFiles: list(changedFile),
  verificationCommands: list(fields(command)),
  runnerClaims: fields({
    outcome: maybe(text),
    summary: maybe(text),
    changedFiles: texts,
    commandsReported: texts,
    testsReported: list(isRecord),
  }),
  claimChecks: maybe(list(fields({ kind: text, text, reason: text, against: maybe(text) }))),
  violations: texts,
  warnings: texts,
  reasons: maybe(texts),
  // What is wrong in there is a reason of its own (freshness).
  manualAcceptance: maybe(isRecord),
  specContext: maybe(specContext),
});

function snapshot(): Shape {
  return shape({
    gitAvailable: flag,
    head: maybe(text),
    branch: maybe(text),
    clean: flag,
    entries: list(fields({ path: text, status: text, contentHash: maybe(text), linkTarget: maybe(text) })),
    excludedPrefixes: texts,
    protectedHashes: hashes,
    diagnostics: list(fields({ severity: text, code: text, message: text })),
  });
}
