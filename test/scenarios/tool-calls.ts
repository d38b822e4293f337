/**
 * The tool-call corpus, judged in this process by the very function the pre-tool-use hook calls. The world is built and
 * wired once (corpus README, "How the project is wired for grading Touchstone") and copied per verdict, or per line where
 * a line prepares its own.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { decode } from '../../src/agents/registry.ts';
import * as engine from '../../src/engine.ts';
import { judgeCall } from '../../src/judge-call.ts';
import * as oracle from '../../src/oracle.ts';
import * as rules from '../../src/rules.ts';
import * as shell from '../../src/shell/index.ts';
import { readPlain } from '../../src/shell/plain.ts';
import type { Loaders } from '../../src/view.ts';
import { CLI, cleanEnv, REPO } from './world.ts';

// Unbundled, the shell reader still asks for its rarer parts by `require`.
(globalThis as { require?: NodeJS.Require }).require = createRequire(join(REPO, 'src/shell/index.ts'));

const loaders: Loaders = {
  shell: () => shell,
  plain: (command, cwd) => readPlain(command, { cwd }),
  engine: () => engine,
  oracle: () => oracle,
  rules: () => rules,
};

export type Line = {
  id: string;
  category: string;
  tool_name: string;
  tool_input: Record<string, unknown>;
  cwd_rel: string;
  setup: { verdict?: string; pre?: string; fs?: string };
  expected: 'deny' | 'allow' | 'detect-after';
  accept: string[];
  tier: 'core' | 'stretch';
  why: string;
  debatable?: boolean;
  verified: { by: string | null; changed?: Record<string, string[]> };
};

export type Place = { home: string; root: string; tmp: string; own: boolean };
export type Answer = { answer: 'deny' | 'allow'; said: string };
export type Graded = Answer & { line: Line; grade: 'ok' | 'accepted' | 'missed' | 'false alarm' };

export function readLines(corpusDir: string, only = process.env.ONLY): Line[] {
  return readFile(join(corpusDir, 'public.jsonl'), only);
}

/** Lines of one file, those whose id, category or tier fit `only`. */
export function readFile(path: string, only = process.env.ONLY): Line[] {
  const wanted = only ? new RegExp(only) : null;
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(text => text.trim() !== '')
    .map(text => JSON.parse(text) as Line)
    .filter(line => !(line.setup.fs && line.verified.by === null))
    .filter(line => wanted === null || wanted.test(`${line.id} ${line.category} ${line.tier}`));
}

export class Worlds {
  readonly top: string;
  private readonly template: string;
  private readonly shared = new Map<string, Place>();
  private made = 0;

  constructor(corpusDir: string) {
    this.top = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-calls-')));
    this.template = join(this.top, 'template');
    execFileSync('python3', [join(corpusDir, 'build_world.py'), this.template], { stdio: 'ignore' });
    wire(join(this.template, 'proj'), this.env(this.template));
  }

  [Symbol.dispose](): void {
    spawnSync('chmod', ['-R', 'u+rwX', this.top]);
    rmSync(this.top, { recursive: true, force: true });
  }

  /** A copy to judge in: one per verdict, unless the line prepares its own. */
  place(setup: Line['setup'], fresh = false): Place {
    const verdict = setup.verdict ?? 'FAIL';
    const known = fresh || setup.pre ? undefined : this.shared.get(verdict);
    if (known) return known;
    const home = join(this.top, `w${this.made++}`);
    execFileSync('cp', ['-a', this.template, home]);
    const place = { home, root: join(home, 'proj'), tmp: join(home, 'tmp'), own: fresh || setup.pre !== undefined };
    const run = { cwd: place.root, env: this.env(home), stdio: 'ignore' as const };
    execFileSync('git', ['remote', 'set-url', 'origin', join(home, 'remote.git')], run);
    spawnSync('git', ['update-index', '-q', '--refresh'], run);
    setVerdict(place.root, verdict);
    if (setup.pre) spawnSync('bash', ['-c', substitute(setup.pre, place)], run);
    if (!place.own) this.shared.set(verdict, place);
    return place;
  }

  done(place: Place): void {
    if (!place.own) return;
    spawnSync('chmod', ['-R', 'u+rwX', place.home]);
    rmSync(place.home, { recursive: true, force: true });
  }

  env(home: string): Record<string, string> {
    return cleanEnv(home);
  }
}

function wire(root: string, env: Record<string, string>): void {
  const inRoot = { cwd: root, env: { ...env, CLAUDE_PROJECT_DIR: root }, stdio: 'pipe' as const };
  execFileSync('bash', ['-c', 'rm -rf .claude/hooks .claude/settings*.json .claude/state'], inRoot);
  execFileSync(process.execPath, [CLI, 'init'], inRoot);
  const rules = join(root, '.claude/project.json');
  const project = JSON.parse(readFileSync(rules, 'utf8')) as { verdict?: object };
  writeFileSync(rules, JSON.stringify({ ...project, verdict: { ...project.verdict, trust: 'any' } }, null, 2));
  execFileSync(process.execPath, [CLI, 'config', 'accept'], inRoot);
  execFileSync(process.execPath, [CLI, 'freeze', '--paths', 'tests/**', '--paths', '**/*.test.ts'], inRoot);
}

function setVerdict(root: string, verdict: string): void {
  const file = join(root, '.claude/state/last_test_result');
  if (verdict === 'none') {
    try {
      unlinkSync(file);
    } catch {
      // It was never there.
    }
    return;
  }
  const pass = verdict.startsWith('PASS');
  writeFileSync(file, `${pass ? 'PASS' : 'FAIL'}\n2026-11-30T10:00:00Z\nnpm test\n${pass ? 0 : 1}\n`);
  if (verdict === 'PASS-stale') utimesSync(file, 1, 1);
}

export function substitute<T>(value: T, place: Place): T {
  if (typeof value === 'string') {
    return value
      .replaceAll('__ROOT__', place.root)
      .replaceAll('__TMP__', place.tmp)
      .replaceAll('__HOME__', place.home) as T;
  }
  if (Array.isArray(value)) return value.map(v => substitute(v, place)) as T;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, substitute(v, place)])) as T;
  return value;
}

export function payload(line: Line, place: Place, event = 'PreToolUse', session = 'grade'): Record<string, unknown> {
  return {
    session_id: session,
    transcript_path: join(place.home, 't.jsonl'),
    cwd: normalize(join(place.root, line.cwd_rel)).replace(/(.)\/$/, '$1'),
    permission_mode: 'default',
    hook_event_name: event,
    tool_name: line.tool_name,
    tool_input: substitute(line.tool_input, place),
  };
}

/** What the hook process would answer, without starting one. */
export function judge(line: Line, place: Place, session = 'grade'): Answer {
  const kept = { HOME: process.env.HOME, CLAUDE_PROJECT_DIR: process.env.CLAUDE_PROJECT_DIR };
  process.env.HOME = place.home;
  process.env.CLAUDE_PROJECT_DIR = place.root;
  try {
    const decoded = decode(JSON.stringify(payload(line, place, 'PreToolUse', session)), 'pre-tool');
    if (decoded.kind === 'invalid') return { answer: 'deny', said: decoded.why };
    const reply = judgeCall(decoded.event, loaders);
    return { answer: reply.exit === 2 ? 'deny' : 'allow', said: reply.stderr ?? '' };
  } finally {
    for (const [key, value] of Object.entries(kept)) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
  }
}

export function grade(line: Line, got: Answer): Graded {
  const want = line.expected === 'detect-after' ? 'allow' : line.expected;
  const lenient = line.accept.includes(got.answer) || (got.answer === 'allow' && line.accept.includes('detect-after'));
  const wrong = line.expected === 'allow' ? ('false alarm' as const) : ('missed' as const);
  return { ...got, line, grade: got.answer === want ? 'ok' : lenient ? 'accepted' : wrong };
}

/** One row a category and tier: how many lines, denied, accepted otherwise, missed, false alarms. */
export function table(graded: readonly Graded[]): string {
  const rows = new Map<string, number[]>();
  for (const g of graded) {
    for (const key of [
      `${g.line.category} ${g.line.expected} ${g.line.tier}`,
      `~ALL ${g.line.expected} ${g.line.tier}`,
    ]) {
      const row = rows.get(key) ?? [0, 0, 0, 0, 0];
      row[0]!++;
      if (g.answer === 'deny') row[1]!++;
      if (g.grade === 'accepted') row[2]!++;
      if (g.grade === 'missed') row[3]!++;
      if (g.grade === 'false alarm') row[4]!++;
      rows.set(key, row);
    }
  }
  const lines = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  const cells = (words: (string | number)[]) => words.map(w => String(w).padStart(9)).join('');
  return [
    `${''.padEnd(44)}${cells(['lines', 'denied', 'accepted', 'missed', 'alarms'])}`,
    ...lines.map(([key, row]) => key.padEnd(44) + cells(row)),
  ].join('\n');
}
