/** What `touchstone deliver` says. */
import { redact } from '../redact/redact.ts';
import type { TaskFile } from '../repo/task-diff.ts';
import type { Tree } from './leaving.ts';

export const REFUSED = {
  material: 'Blocking rule/secret finding prevents publication',
  none: 'Publication requires current green evidence',
  failed: 'Current diff does not have passing verification',
} as const;

/** `left`: of a repository whose proven commit is on its remote already. */
export type Proof = { what: string; how: 'fresh' | 're-run' | 'stale' | 'left' };

/** One repository of a plan. */
export type Parted = {
  id: string;
  path: string;
  access: 'read' | 'write';
  state: 'unchanged' | 'ready' | 'left' | 'refused';
  commit: string | null;
  commits: number;
  reasons: string[];
};

export type Delivered = {
  ok: boolean;
  root: string;
  branch: string | null;
  /** Where the task began; null where the history has no other branch to compare with. */
  base: { ref: string; commit: string } | null;
  tree: Tree | null;
  commits: string[];
  files: Pick<TaskFile, 'path' | 'kind'>[];
  proof: Proof[];
  /** Where a plan names several. */
  repositories: Parted[];
  reasons: string[];
  notes: string[];
};

export type DeliverOptions = {
  /** Nothing is run and nothing is stamped: what is stale is named. */
  dryRun: boolean;
  onLine?: (line: string) => void;
  cancel?: AbortSignal;
};

/** A few of many paths; a name may hold a secret too. */
export function shown(paths: readonly string[]): string {
  return redact(paths.slice(0, 5).join(', ')) + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
}
