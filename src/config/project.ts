/**
 * `.claude/project.json` as the hook path sees it: plain checks, no schema library. The full validation is
 * `schema.ts`, run by the CLI and at session start. Every key but `test.cmd` has a default.
 */
import { join } from 'node:path';
import { type FileRead, readState } from '../state/atomic.ts';
import { PROJECT_FILE } from '../state/paths.ts';

export type Policy = 'require' | 'warn' | 'off';

export type Project = {
  test: { cmd: string; runner?: string; success_pattern?: string; failure_pattern?: string; timeout_seconds?: number };
  verdict: { trust: 'attested' | 'any' };
  claims: { paths: string[] };
  frozen: { paths: string[]; restore: 'manual' | 'auto' };
  delivery: { commit: Policy; push: Policy; pr: Policy };
  /** The parsed file itself, for the keys that their own features read. */
  raw: Record<string, unknown>;
};

/**
 * Claim artifacts: folders of reports, and documents named for a verification. `*` folders first, then names.
 * The seed's three rules with its case gap closed (spec/003, section 2).
 */
export const CLAIM_PATHS = [
  'docs/verify/**',
  'docs/verification/**',
  '.claude/reports/**',
  '**/*[vV][eE][rR][iI][fF][yY]*',
  '**/*[vV][eE][rR][iI][fF][iI][cC][aA][tT][iI][oO][nN]*',
];

export type ProjectRead =
  | { kind: 'ok'; project: Project }
  | { kind: 'missing'; project: Project }
  /** The file is there and cannot be used: defaults hold, and nothing may read as proven. */
  | { kind: 'corrupt'; project: Project; why: string };

export function readProject(root: string): ProjectRead {
  const read: FileRead = readState(join(root, PROJECT_FILE));
  if (read.kind === 'missing') return { kind: 'missing', project: withDefaults({}) };
  if (read.kind === 'unusable') return { kind: 'corrupt', project: withDefaults({}), why: read.why };
  try {
    const raw: unknown = JSON.parse(read.text.replace(/^\uFEFF/, ''));
    if (!isRecord(raw)) return { kind: 'corrupt', project: withDefaults({}), why: 'is not a JSON object' };
    return { kind: 'ok', project: withDefaults(raw) };
  } catch {
    return { kind: 'corrupt', project: withDefaults({}), why: 'is not JSON' };
  }
}

export function withDefaults(raw: Record<string, unknown>): Project {
  const test = record(raw.test);
  const frozen = record(raw.frozen);
  const policy = record(raw.delivery);
  return {
    test: {
      cmd: typeof test.cmd === 'string' ? test.cmd : '',
      runner: text(test.runner),
      success_pattern: text(test.success_pattern),
      failure_pattern: text(test.failure_pattern),
      timeout_seconds:
        typeof test.timeout_seconds === 'number' && test.timeout_seconds > 0 ? test.timeout_seconds : undefined,
    },
    verdict: { trust: record(raw.verdict).trust === 'any' ? 'any' : 'attested' },
    claims: { paths: strings(record(raw.claims).paths) ?? CLAIM_PATHS },
    frozen: { paths: strings(frozen.paths) ?? [], restore: frozen.restore === 'auto' ? 'auto' : 'manual' },
    delivery: {
      commit: policyOf(policy.commit, 'warn'),
      push: policyOf(policy.push, 'require'),
      pr: policyOf(policy.pr, 'require'),
    },
    raw,
  };
}

function policyOf(value: unknown, fallback: Policy): Policy {
  return value === 'require' || value === 'warn' || value === 'off' ? value : fallback;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function strings(value: unknown): string[] | null {
  return Array.isArray(value) && value.every(v => typeof v === 'string') ? (value as string[]) : null;
}
