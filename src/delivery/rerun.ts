/** Proves a tree anew: the suite and the green checks that are stale at it. */
import { runCheck } from '../checks/check.ts';
import { type Check, readContract } from '../checks/contract.ts';
import { runSuite } from '../checks/suite.ts';
import type { Project } from '../config/project.ts';
import { stamp } from '../verdict/stamp.ts';
import { checkPassed, whyNot } from './green.ts';
import type { Tree } from './leaving.ts';
import { type Delivered, type DeliverOptions, REFUSED } from './report.ts';

export async function rerun(
  root: string,
  project: Project,
  report: Delivered,
  tree: Tree,
  stale: readonly string[],
  options: DeliverOptions,
): Promise<void> {
  const proven = (what: string) => {
    report.proof = report.proof.map(p => (p.what === what ? { what, how: 're-run' as const } : p));
  };
  if (stale.includes('suite')) {
    const suite = await runSuite(root, project, {
      slug: 'suite',
      by: 'verify',
      onLine: options.onLine,
      cancel: options.cancel,
    });
    if (suite.finding.class !== 'cancelled') await stamp(root, suite.finding, suite.moved);
    const open = whyNot(root, project, tree.fingerprint);
    if (open === null) proven('suite');
    else if (suite.moved && suite.finding.verdict === 'PASS')
      report.reasons.push(`${REFUSED.failed}: the suite changed repository files; ignore what it writes (.gitignore)`);
    else
      report.reasons.push(
        `${REFUSED.failed}: the suite ${suite.finding.verdict === 'PASS' ? `passed, but ${open}` : `FAILS (${suite.finding.reason})`}`,
      );
  }
  const { checks } = readContract(project.raw);
  for (const id of stale.filter(what => what !== 'suite')) {
    const check: Check | undefined = checks.find(c => c.id === id);
    if (!check) {
      report.reasons.push(`${REFUSED.failed}: check ${id} is not usable as written (touchstone config validate)`);
      continue;
    }
    const ran = await runCheck(root, project, check, 'green', { cancel: options.cancel });
    if (checkPassed(root, id, tree.fingerprint)) proven(id);
    else
      report.reasons.push(
        `${REFUSED.failed}: check ${id}: ${ran.entry.problems[0] ?? 'its evidence is of another tree'} (${ran.path})`,
      );
  }
}
