/** What the stamped verdict says of the tree as it is now: verification that somebody else ran already. */
import type { Project } from '../config/project.ts';
import { freshness } from '../verdict/freshness.ts';
import { standing } from '../verdict/standing.ts';
import { measureTree, type Tree } from '../verdict/tree.ts';
import { NOT_RUN, type Verification } from './types.ts';

export const SUITE = 'suite';

export function verdictAtTree(root: string, project: Project, measured?: Tree | null): Verification {
  const tree = measured === undefined ? measureTree(root, project.claims.paths) : measured;
  const fingerprint = tree?.value ?? null;
  const { cmd } = project.test;
  if (cmd.trim() === '') {
    return { ...NOT_RUN, configured: hasChecks(project), skipped: 'no suite is configured', fingerprint };
  }
  const now = standing(root, project);
  const none = (skipped: string): Verification => ({ ...NOT_RUN, configured: true, skipped, fingerprint });
  if (now.kind !== 'pass' && now.kind !== 'fail') {
    return none('no attested verdict speaks of this tree: run `touchstone verify`');
  }
  const { sidecar } = now;
  const here =
    now.kind === 'pass'
      ? freshness(root, project.claims.paths, now, tree) === 'fresh'
      : sidecar !== null && fingerprint !== null && sidecar.fingerprint === fingerprint;
  if (!here) return none('the last verdict is about another tree: run `touchstone verify`');
  const passed = now.kind === 'pass';
  return {
    ran: true,
    skipped: null,
    configured: true,
    commands: [
      {
        name: SUITE,
        argv: ['sh', '-c', cmd],
        required: true,
        exitCode: sidecar?.exitCode ?? now.stamp.exitCode,
        durationMs: sidecar?.durationMs ?? 0,
        passed,
        ...(passed || !sidecar?.reason ? {} : { why: sidecar.reason }),
      },
    ],
    requiredFailed: passed ? [] : [SUITE],
    optionalFailed: [],
    passed,
    fingerprint,
  };
}

function hasChecks(project: Project): boolean {
  const { checks, verification } = project.raw;
  return [checks, verification].some(list => Array.isArray(list) && list.length > 0);
}
