/** Project rules: what a change may not do, whatever its tests say. `rules` of project.json (seed 000, spec section 6). */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchAny } from '../config/glob.ts';
import { isRecord } from '../config/project.ts';
import type { Fault } from '../config/schema.ts';
import { tail } from '../redact/cut.ts';
import { redact } from '../redact/redact.ts';
import { safePattern } from '../runners/generic.ts';

export type Enforcement = 'blocking' | 'advisory' | 'prose';

export type ProjectRule = {
  id: string;
  guidance: string;
  enforcement: Enforcement;
  /** Empty: every file. A pattern without a slash is a file name, at any depth. */
  paths: string[];
  /** Empty: every repository of a plan. */
  repositories: string[];
  /** A shell line, or a program with its arguments; anything but exit 0 is a finding. */
  command: string | string[] | null;
  /** A line of a changed file that it fits is a finding. */
  forbiddenPattern: string | null;
};

export type RuleFinding = {
  rule: string;
  enforcement: 'blocking' | 'advisory';
  path: string;
  line?: number;
  why: string;
};

const NAME = /^[a-z0-9][a-z0-9._-]{0,79}$/i;
const MAX_BYTES = 8 * 1024 * 1024;
const COMMAND_MS = 600_000;

/** Rules with a fault are left out of `rules`. */
export function readRules(raw: unknown): { rules: ProjectRule[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const rules: ProjectRule[] = [];
  const list = isRecord(raw) ? raw.rules : undefined;
  if (list === undefined) return { rules, faults };
  if (!Array.isArray(list)) {
    faults.push({ path: 'rules', message: 'is not a list', cure: 'write "rules": [ ... ]' });
    return { rules, faults };
  }
  for (const [index, item] of list.entries()) {
    const before = faults.length;
    const rule = readRule(item, `rules.${index}`, faults);
    if (rules.some(other => other.id === rule.id))
      faults.push({
        path: `rules.${index}.id`,
        message: `"${rule.id}" stands twice`,
        cure: 'give each rule its own id',
      });
    if (faults.length === before) rules.push(rule);
  }
  return { rules, faults };
}

function readRule(item: unknown, path: string, faults: Fault[]): ProjectRule {
  const given = isRecord(item) ? item : {};
  const fault = (key: string, message: string, cure: string) =>
    faults.push({ path: key === '' ? path : `${path}.${key}`, message, cure });
  if (!isRecord(item)) fault('', 'is not an object', 'write { "id": ..., "guidance": ..., "enforcement": ... }');
  const { id, guidance, enforcement, command } = given;
  if (typeof id !== 'string' || !NAME.test(id)) fault('id', 'is no short name', 'name it, such as "no-console"');
  if (typeof guidance !== 'string' || guidance.trim() === '')
    fault('guidance', 'says nothing', 'say in one sentence what to do instead');
  if (enforcement !== 'blocking' && enforcement !== 'advisory' && enforcement !== 'prose')
    fault('enforcement', 'is none of blocking, advisory, prose', 'give one of them');
  const hasCommand = typeof command === 'string' ? command.trim() !== '' : strings(command) && command.length > 0;
  if (command !== undefined && !hasCommand) fault('command', 'is no command', 'give a shell line or a list of words');
  const pattern = given.forbidden_pattern;
  if (pattern !== undefined) {
    const safe = typeof pattern === 'string' && pattern !== '' ? safePattern(pattern) : { problem: 'is no pattern' };
    if ('problem' in safe) fault('forbidden_pattern', safe.problem, 'use a plain pattern of one line');
  }
  if (enforcement === 'blocking' && command === undefined && pattern === undefined)
    fault('enforcement', 'blocking needs command or forbidden_pattern', 'give one, or call it advisory');
  for (const key of ['paths', 'repositories'])
    if (given[key] !== undefined && !strings(given[key]))
      fault(key, 'is not a list of texts', `write "${key}": [ ... ]`);
  return {
    id: typeof id === 'string' ? id : '',
    guidance: typeof guidance === 'string' ? guidance : '',
    enforcement: enforcement as Enforcement,
    paths: strings(given.paths) ? given.paths : [],
    repositories: strings(given.repositories) ? given.repositories : [],
    command: hasCommand ? (command as string | string[]) : null,
    forbiddenPattern: typeof pattern === 'string' ? pattern : null,
  };
}

function strings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(v => typeof v === 'string');
}

export type RuleOptions = {
  /** Commands are left out: nothing is run. */
  dryRun?: boolean;
  cancel?: AbortSignal;
};

/** What the rules say of changed files; `paths` are relative to `folder`, deleted ones may be among them. */
export async function judgeRules(
  folder: string,
  rules: readonly ProjectRule[],
  paths: readonly string[],
  options: RuleOptions = {},
): Promise<RuleFinding[]> {
  const found: RuleFinding[] = [];
  for (const rule of rules) {
    const { id, enforcement } = rule;
    if (enforcement === 'prose') continue;
    const touched = paths.filter(path => concerns(rule, path));
    if (touched.length === 0) continue;
    for (const path of rule.forbiddenPattern === null ? [] : touched) {
      const line = firstLine(join(folder, path), rule.forbiddenPattern!);
      if (line !== null) found.push({ rule: id, enforcement, path, line, why: rule.guidance });
    }
    if (rule.command === null || options.dryRun) continue;
    const why = await failure(folder, rule.command, options.cancel);
    if (why !== null) found.push({ rule: id, enforcement, path: touched[0]!, why: `${rule.guidance} (${why})` });
  }
  return found;
}

function concerns(rule: ProjectRule, path: string): boolean {
  if (rule.paths.length === 0) return true;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return matchAny(rule.paths, path) !== null || rule.paths.some(p => !p.includes('/') && matchAny([p], name) !== null);
}

function firstLine(file: string, source: string): number | null {
  const safe = safePattern(source);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if ('problem' in safe || !stat?.isFile() || stat.size > MAX_BYTES) return null;
  const at = readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .findIndex(line => safe.pattern.test(line));
  return at < 0 ? null : at + 1;
}

async function failure(folder: string, command: string | string[], cancel?: AbortSignal): Promise<string | null> {
  const [{ run }, { plain }] = await Promise.all([import('../checks/run.ts'), import('../runners/text.ts')]);
  const result = await run({ command, cwd: folder, timeoutMs: COMMAND_MS, cancel });
  if (result.reason === null && result.exitCode === 0) return null;
  const how = result.reason ?? (result.signal === null ? `exit ${result.exitCode}` : result.signal);
  const said = redact(tail(plain(result.output), 1)).trim();
  return said === '' ? how : `${how}: ${said.slice(0, 200)}`;
}

/** One line: which rule, where, what to do. */
export function ruleLine(finding: RuleFinding): string {
  const where = finding.line === undefined ? finding.path : `${finding.path}:${finding.line}`;
  return `${finding.rule} (${finding.enforcement}) ${where}: ${finding.why}`;
}
