/** What a hook loads where only git can tell what a command would change. Bundled as dist/oracle.cjs. */
import { wouldChange } from './repo/oracle.ts';
import { takenBack } from './repo/takes-back.ts';

/** A path a git command would change in the work tree, and whether it only takes an uncommitted change back. */
type Changed = { path: string; tidies: boolean };

/** Empty where git cannot tell without doing it. */
export function gitChanges({ argv, cwd }: { argv: string[]; cwd: string }): Changed[] {
  const answer = wouldChange(argv, cwd);
  if (answer.kind !== 'paths') return [];
  const back = takenBack(argv[0] === 'fetched' ? argv.slice(2) : argv, cwd, answer.paths);
  return answer.paths.map(path => ({ path, tidies: back.has(path) }));
}
