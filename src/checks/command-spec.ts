/** How a check is started, as project.json says it: argv, folder, limits, variables. Everything wrong is named. */
import { isRecord } from '../config/project.ts';
import type { Fault } from '../config/schema.ts';

const LIMITS = { timeout_seconds: 86_400, inactivity_seconds: 3_600 } as const;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

export type CommandSpec = {
  argv: string[];
  cwd?: unknown;
  timeout_seconds?: unknown;
  inactivity_seconds?: unknown;
  env?: unknown;
  env_refs?: unknown;
};

export function readCommands(value: unknown, faults: Fault[]): Map<string, CommandSpec> {
  const found = new Map<string, CommandSpec>();
  if (value === undefined) return found;
  if (!isRecord(value)) {
    faults.push({
      path: 'commands',
      message: 'is not an object of named commands',
      cure: 'map each name to an argv list',
    });
    return found;
  }
  for (const [name, entry] of Object.entries(value)) {
    const path = `commands.${name}`;
    const argv = readArgv(isRecord(entry) ? entry.argv : entry, isRecord(entry) ? `${path}.argv` : path, faults);
    // A named command that is wrong is still named: its users need no second complaint.
    found.set(name, { ...(isRecord(entry) ? entry : {}), argv: argv ?? [] });
    if (isRecord(entry)) readSetting(entry, path, faults);
  }
  return found;
}

const SHELL_CURE =
  'give program and arguments as a list, such as ["npm", "test"]; for a shell, name it: ["sh", "-c", "..."]';

function readArgv(value: unknown, path: string, faults: Fault[]): string[] | null {
  const fault = (message: string, cure = SHELL_CURE): null => {
    faults.push({ path, message, cure });
    return null;
  };
  if (typeof value === 'string') return fault(`looks like a shell command string: "${shortened(value)}"`);
  if (!Array.isArray(value) || value.length === 0) return fault('is not a list of a program and its arguments');
  if (!value.every(word => typeof word === 'string')) return fault('holds something that is not a string');
  const argv = value as string[];
  const [program = ''] = argv;
  if (program.trim() === '') return fault('names no program');
  if (argv.some(word => word.includes('\0'))) return fault('holds a NUL character');
  // One word with blanks and no folder is a whole command line put in brackets.
  if (argv.length === 1 && /[\s;|&<>$`]/.test(program) && !/^[/.~]|^[A-Za-z]:\\/.test(program)) {
    return fault(`looks like a shell command string: ["${shortened(program)}"]`);
  }
  return argv;
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}...` : text);

export function commandOf(
  value: unknown,
  path: string,
  commands: Map<string, CommandSpec>,
  faults: Fault[],
): CommandSpec {
  if (typeof value === 'string') {
    const named = commands.get(value);
    if (named !== undefined) return named;
    const shell = /[\s;|&<>$`"'()]/.test(value.trim());
    faults.push({
      path,
      message: shell ? `looks like a shell command string: "${shortened(value)}"` : `unknown named command "${value}"`,
      cure: shell
        ? SHELL_CURE
        : `add it to "commands" (${[...commands.keys()].join(', ') || 'there are none'}) or give an argv list`,
    });
    return { argv: [] };
  }
  return { argv: readArgv(value, path, faults) ?? [] };
}

/** What commands and checks have in common: where, how long, with which variables. */
export function readSetting(item: Record<string, unknown>, path: string, faults: Fault[]): void {
  if (item.cwd !== undefined) {
    const wrong = wrongPath(item.cwd);
    if (wrong !== null) {
      faults.push({
        path: `${path}.cwd`,
        message: `cwd ${wrong}`,
        cure: 'give a folder of the project, relative to its root, without ".."',
      });
    }
  }
  for (const [key, most] of Object.entries(LIMITS)) {
    const value = item[key];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0 || value > most) {
      faults.push({
        path: `${path}.${key}`,
        message: `is not a number of seconds above 0 and up to ${most}`,
        cure: `give 1 to ${most}`,
      });
    }
  }
  if (item.env !== undefined) {
    const fine =
      isRecord(item.env) && Object.entries(item.env).every(([k, v]) => VARIABLE.test(k) && typeof v === 'string');
    if (!fine) {
      faults.push({
        path: `${path}.env`,
        message: 'is not an object of variable names and string values',
        cure: 'write { "NAME": "value" }',
      });
    }
  }
  if (item.env_refs !== undefined && !(isStrings(item.env_refs) && item.env_refs.every(name => VARIABLE.test(name)))) {
    faults.push({
      path: `${path}.env_refs`,
      message: 'is not a list of environment variable names',
      cure: 'name the variables, without "$" and without values',
    });
  }
}

export function wrongPath(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return 'is not a path';
  if (value.includes('\0')) return 'holds a NUL character';
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(value)) return `is not relative: ${value}`;
  return value.split(/[/\\]/).includes('..') ? `leaves the project by "..": ${value}` : null;
}

export function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(v => typeof v === 'string');
}
