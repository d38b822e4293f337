/** What project.json says about runs: `execution`, `verification`, `tasks`. Everything wrong is named. */
import { isRecord, record } from '../config/project.ts';
import type { Fault } from '../config/schema.ts';

export type VerificationCommand = { name: string; argv: string[]; required: boolean; timeoutMs: number };

export type RunSettings = {
  /** Prefixes or paths no run may change. */
  protectedPaths: string[];
  maximumPatchBytes: number;
  maximumOutputBytes: number;
  timeoutMs: number;
  verification: VerificationCommand[];
  /** The markdown file that holds the tasks, relative to the root. */
  tasks: string | null;
  faults: Fault[];
};

const DEFAULTS = {
  maximumPatchBytes: 10_485_760,
  maximumOutputBytes: 16_000_000,
  timeoutMs: 3_600_000,
  commandTimeoutMs: 600_000,
} as const;
const DAY_MS = 86_400_000;

/** Files whose change is a violation in every run, whether or not git looks at them. */
export const PROTECTED_GLOBS = ['.kiro/**', '.claude/project.json', '.claude/plan.json', '.claude/settings.json'];

export function readRunSettings(raw: Record<string, unknown>): RunSettings {
  const faults: Fault[] = [];
  const execution = record(raw.execution);
  if (raw.execution !== undefined && !isRecord(raw.execution)) {
    faults.push({ path: 'execution', message: 'is not an object', cure: 'write { "protectedPaths": [...] }' });
  }
  unknown('execution', execution, EXECUTION_KEYS, faults);
  const number = (key: string, fallback: number, least: number, most: number): number => {
    const value = execution[key];
    if (value === undefined) return fallback;
    if (typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most) return value;
    const cure = `write such a number, or leave it out for ${fallback}`;
    faults.push({ path: `execution.${key}`, message: `is not a number from ${least} to ${most}`, cure });
    return fallback;
  };
  return {
    protectedPaths: paths(execution.protectedPaths, faults),
    maximumPatchBytes: number('maximumPatchBytes', DEFAULTS.maximumPatchBytes, 0, 1 << 30),
    maximumOutputBytes: number('maximumOutputBytes', DEFAULTS.maximumOutputBytes, 1000, 1 << 30),
    timeoutMs: number('timeoutMs', DEFAULTS.timeoutMs, 1000, DAY_MS),
    verification: verification(raw.verification, faults),
    tasks: tasks(raw.tasks, faults),
    faults,
  };
}

const EXECUTION_KEYS = ['protectedPaths', 'maximumPatchBytes', 'maximumOutputBytes', 'timeoutMs'];
const COMMAND_KEYS = ['name', 'argv', 'required', 'timeoutMs'];

/** A misspelt key would switch its rule off in silence. */
function unknown(path: string, given: Record<string, unknown>, known: readonly string[], faults: Fault[]): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key) || key.startsWith('$') || key.startsWith('_')) continue;
    faults.push({
      path: `${path}.${key}`,
      message: 'is no key that is read',
      cure: `use one of ${known.join(', ')}, or take it out`,
      warning: true,
    });
  }
}

function paths(value: unknown, faults: Fault[]): string[] {
  if (value === undefined) return [];
  const path = 'execution.protectedPaths';
  if (!Array.isArray(value)) {
    faults.push({ path, message: 'is not a list of paths', cure: 'write ["src/generated/", "package-lock.json"]' });
    return [];
  }
  const kept: string[] = [];
  for (const [i, entry] of (value as unknown[]).entries()) {
    if (typeof entry === 'string' && inside(entry)) kept.push(entry.replace(/^\.\//, '').replace(/\/\*\*$/, '/'));
    else {
      const message = 'is not a path inside the project';
      faults.push({ path: `${path}[${i}]`, message, cure: 'write it from the project root, as "src/generated/"' });
    }
  }
  return kept;
}

function verification(value: unknown, faults: Fault[]): VerificationCommand[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    faults.push({ path: 'verification', message: 'is not a list', cure: 'write [{ "name": ..., "argv": [...] }]' });
    return [];
  }
  const found: VerificationCommand[] = [];
  for (const [i, entry] of (value as unknown[]).entries()) {
    const command = isRecord(entry) ? readCommand(entry, found) : NOT_A_COMMAND;
    if (isRecord(entry)) unknown(`verification[${i}]`, entry, COMMAND_KEYS, faults);
    if ('name' in command) found.push(command);
    else faults.push({ path: `verification[${i}]`, ...command });
  }
  return found;
}

type Wrong = { message: string; cure: string };

const NOT_A_COMMAND: Wrong = { message: 'is not an object', cure: 'write { "name": "unit", "argv": ["npm", "test"] }' };

function readCommand(
  item: Record<string, unknown>,
  before: readonly VerificationCommand[],
): VerificationCommand | Wrong {
  const { name, argv, required, timeoutMs = DEFAULTS.commandTimeoutMs } = item;
  if (typeof name !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(name)) {
    return { message: 'has no usable name', cure: 'use letters, digits, ".", "_" and "-"' };
  }
  if (before.some(other => other.name === name))
    return { message: `names "${name}" a second time`, cure: 'give each command a name of its own' };
  const wrong = wrongArgv(argv);
  if (wrong !== null) {
    return { message: `"${name}" ${wrong}`, cure: 'give program and arguments as a list: ["npm", "test"]' };
  }
  if (required !== undefined && typeof required !== 'boolean') {
    return { message: 'required is not true or false', cure: 'write true or false without quotes' };
  }
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 1000 && timeoutMs <= DAY_MS)) {
    return { message: `timeoutMs is not a number from 1000 to ${DAY_MS}`, cure: 'give milliseconds, or leave it out' };
  }
  return { name, argv: argv as string[], required: required !== false, timeoutMs };
}

function wrongArgv(argv: unknown): string | null {
  if (typeof argv === 'string') return `looks like a shell command string: ${JSON.stringify(argv.slice(0, 60))}`;
  if (!Array.isArray(argv) || argv.length === 0 || !argv.every(word => typeof word === 'string')) return 'has no argv';
  const [program] = argv as string[];
  if (program!.trim() === '') return 'names no program';
  if (argv.length === 1 && /[\s;|&<>$`]/.test(program!)) {
    return `looks like a shell command string: ${JSON.stringify(program!.slice(0, 60))}`;
  }
  return argv.some(word => (word as string).includes('\0')) ? 'holds a NUL character' : null;
}

function tasks(value: unknown, faults: Fault[]): string | null {
  const file = isRecord(value) ? value.file : value;
  if (file === undefined) return null;
  if (typeof file === 'string' && inside(file)) return file.replace(/^\.\//, '');
  faults.push({
    path: isRecord(value) ? 'tasks.file' : 'tasks',
    message: 'is not the path of a markdown file inside the project',
    cure: 'write it from the project root, as "docs/tasks.md"',
  });
  return null;
}

export const inside = (file: string): boolean =>
  file !== '' && !/^[/\\~]|^[A-Za-z]:|\0/.test(file) && !file.split(/[/\\]/).includes('..');
