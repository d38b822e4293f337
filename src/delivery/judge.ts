/** May this leave? Asked by the delivery guard before a command runs, and by the git hooks of a human's push. */
import { existsSync } from 'node:fs';
import { type Policy, type Project, readProject } from '../config/project.ts';
import { ACCEPTED_FILE, isAccepted, trustHash } from '../config/trust.ts';
import { ALLOW, type Decision, deny } from '../event.ts';
import { readBroken } from '../freeze/broken.ts';
import { unmetGates } from '../gates/unmet.ts';
import { locate } from '../repo/locate.ts';
import { unlike } from '../repo/tips.ts';
import type { Delivery, Reading } from '../shell/effect.ts';
import { commonGitDir, findRoot, statePath } from '../state/paths.ts';
import { measureTree } from '../verdict/tree.ts';
import { before } from './before.ts';
import { greenOf } from './green.ts';
import { type Leaving, leaving, type Tree } from './leaving.ts';
import { sisterAt, sisterWhy } from './sister.ts';

export const RULE = 'delivery';

/** What the guard is told: the first refusal, and what is let through under the policy `warn`. */
export type Judged = { decision: Decision; warned: string[] };

export function judgeReading(root: string, reading: Reading): Judged {
  const judged: Judged = { decision: ALLOW, warned: [] };
  for (const delivery of [...reading.deliveries, ...pullRequests(reading), ...unread(root, reading)]) {
    const found = judgeDelivery(root, delivery, reading);
    if (found === null) continue;
    if (found.policy === 'warn') judged.warned.push(found.reason);
    else if (judged.decision.kind === 'allow') judged.decision = deny(RULE, found.reason, found.next);
  }
  return judged;
}

/** Command lines of forges that open a pull or merge request for what HEAD is. */
function pullRequests(reading: Reading): Delivery[] {
  return reading.invocations.flatMap(({ argv, cwd, span }) => {
    const program = (argv[0] ?? '').replace(/^.*[/\\]/, '').replace(/\.exe$/, '');
    const words = argv.slice(1).filter(arg => !arg.startsWith('-'));
    const opens =
      (program === 'gh' && words[0] === 'pr' && /^(?:create|new)$/.test(words[1] ?? '')) ||
      (program === 'glab' && words[0] === 'mr' && /^(?:create|new|for)$/.test(words[1] ?? '')) ||
      (program === 'hub' && words[0] === 'pull-request') ||
      (program === 'tea' && /^(?:pr|pulls?)$/.test(words[0] ?? '') && words[1] === 'create');
    if (!opens) return [];
    const dryRun = argv.some(arg => /^(?:--dry-run|--help|-h|--web|-w)$/.test(arg)) && !argv.includes('--fill');
    return [
      {
        verb: 'pr' as const,
        argv: [program, ...argv.slice(1)],
        cwd,
        noVerify: false,
        dryRun,
        ...(span ? { span } : {}),
      },
    ];
  });
}

/** A push in a part that could not be read to its end is judged as one of HEAD. */
function unread(root: string, reading: Reading): Delivery[] {
  if (!reading.opaque.some(text => PUSHES.test(text))) return [];
  return [{ verb: 'push', argv: ['git', 'push'], cwd: root, noVerify: false, dryRun: false }];
}

const PUSHES = /\bgit\b[^\n;|&]*\bpush\b(?![^\n;|&]*\s(?:-n|--dry-run|--delete|-d)\b)/;

type Found = { policy: Policy; reason: string; next: string };

function judgeDelivery(session: string, delivery: Delivery, reading: Reading): Found | null {
  const root = projectOf(session, delivery.cwd);
  if (root === null) return judgeSister(session, delivery, reading);
  const { project, policy } = rulesFor(root, delivery.verb);
  if (policy === 'off') return null;
  const at = locate(delivery.cwd).kind === 'none' ? { ...delivery, cwd: root } : delivery;
  const verb = delivery.verb === 'pr' ? `${delivery.argv.slice(0, 3).join(' ')}` : `git ${delivery.verb}`;
  return verdictOn(
    root,
    project,
    policy,
    verb,
    leaving(root, at, before(reading, delivery, root), project.claims.paths),
  );
}

/** A checkout without rules of its own may be part of a plan. */
function judgeSister(session: string, delivery: Delivery, reading: Reading): Found | null {
  const sister = bound(session) ? sisterAt(session, delivery.cwd) : null;
  if (sister === null) return null;
  const { policy } = rulesFor(session, delivery.verb);
  const why = policy === 'off' ? null : sisterWhy(session, sister, delivery, reading);
  return why === null ? null : { policy, reason: `git ${delivery.verb}: ${why}.`, next: 'touchstone deliver' };
}

/** Null: it may leave. */
export function verdictOn(root: string, project: Project, policy: Policy, verb: string, what: Leaving): Found | null {
  if (what.kind === 'nothing') return null;
  const found = (reason: string, next: string): Found => ({ policy, reason, next });
  if (what.kind === 'unclear') return found(`${verb}: ${what.why}.`, `run ${verb} in a call of its own`);
  const broken = readBroken(root);
  if (broken !== null) return found(`${verb}: frozen tests were changed (${broken}).`, 'touchstone freeze restore');
  const green = greenOf(root, project);
  const bad = green.kind === 'none-asked' ? undefined : what.trees.find(tree => green.why(tree.fingerprint) !== null);
  if (bad === undefined || green.kind === 'none-asked') return verb === 'git commit' ? null : gates(root, verb, policy);
  const why = green.why(bad.fingerprint)!;
  const cure = cureFor(root, project, bad, green.cure(bad.fingerprint));
  return found(`${verb} would deliver ${bad.name}, a tree without green evidence: ${why}${cure.said}.`, cure.next);
}

/** What `gate.deliver` asks beyond the suite; a commit stays here and is not asked. */
function gates(root: string, verb: string, policy: Policy): Found | null {
  const [unmet, ...more] = unmetGates(root, 'deliver');
  if (unmet === undefined) return null;
  const rest = more.length > 0 ? ` (and ${more.length} more)` : '';
  const truth = unmet.satisfied === null ? 'not proven' : 'not met';
  return {
    policy,
    reason: `${verb}: gate ${unmet.step} is ${truth}: ${unmet.why}${rest}.`,
    next: unmet.next ?? 'touchstone deliver',
  };
}

function cureFor(root: string, project: Project, tree: Tree, run: string): { said: string; next: string } {
  // What repairs the rules does not depend on the files.
  if (!/^touchstone (?:verify|check) ?/.test(run)) return { said: '', next: run };
  // What a commit would stage has no name yet to compare files with.
  const same = tree.commit === null && measureTree(root, project.claims.paths)?.value === tree.fingerprint;
  const differs = same ? [] : unlike(root, tree.commit, project.claims.paths);
  if (differs === null || differs.length === 0) return { said: '', next: run };
  const shown = differs.slice(0, 3).join(', ') + (differs.length > 3 ? ` and ${differs.length - 3} more` : '');
  return {
    said: `; the work tree differs from it (${shown}), so a run here proves another one`,
    next: `commit, stash or ignore these, run ${run}, then deliver`,
  };
}

/** The project whose rules bind a command in `cwd`; null where none does. */
function projectOf(session: string, cwd: string): string | null {
  if (locate(cwd).kind === 'none') return bound(session) ? session : null;
  const root = findRoot(cwd);
  if (bound(root)) return root;
  // A folder of the same repository that holds no rules of its own.
  const same = commonGitDir(root) !== null && commonGitDir(root) === commonGitDir(session);
  return same && bound(session) ? session : null;
}

/** A project that lost its rules file after a human accepted it is still bound by the defaults. */
export function bound(root: string): boolean {
  return readProject(root).kind !== 'missing' || existsSync(statePath(root, ACCEPTED_FILE));
}

const STRICTNESS: Record<Policy, number> = { off: 0, warn: 1, require: 2 };
const DEFAULT = { commit: 'warn', push: 'require', pr: 'require' } as const;

/** Rules nobody accepted may ask for more than the defaults, never for less. */
export function rulesFor(root: string, verb: Delivery['verb']): { project: Project; policy: Policy } {
  const { project } = readProject(root);
  const policy = project.delivery[verb];
  const floor: Policy = DEFAULT[verb];
  const lax = STRICTNESS[policy] < STRICTNESS[floor] && !isAccepted(root, trustHash(root));
  return { project, policy: lax ? floor : policy };
}
