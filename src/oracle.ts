/** What a hook loads where only git can tell what a command would change. Bundled as dist/oracle.cjs. */
import { wouldChange } from './repo/oracle.ts';

/** Paths a git command would change in the work tree; empty where git cannot tell without doing it. */
export function gitChanges(target: { argv: string[]; cwd: string }): string[] {
  const answer = wouldChange(target.argv, target.cwd);
  return answer.kind === 'paths' ? answer.paths : [];
}
