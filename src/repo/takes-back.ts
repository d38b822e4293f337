/** Git commands that bring a whole tree to a commit: what they only take back is what HEAD and that commit both hold. */
import { asker } from './ask.ts';
import { gitWords, has, value } from './git-args.ts';
import { locate } from './locate.ts';

/** Of the paths a command would change, those where nothing but an uncommitted change is lost. */
export function takenBack(argv: readonly string[], cwd: string, paths: readonly string[]): Set<string> {
  if (bringsHeadBack(argv)) return new Set(paths);
  const rev = bringsTo(argv);
  const repo = rev === undefined || paths.length === 0 ? null : locate(cwd);
  if (rev === undefined || repo?.kind !== 'worktree') return new Set();
  const committed = asker(repo, cwd).diff('HEAD', rev === '-' ? '@{-1}' : rev, '--');
  return new Set(committed === null ? [] : paths.filter(path => !committed.includes(path)));
}

/** Commands that tidy a whole tree up to HEAD, naming no path of their own. */
function bringsHeadBack(argv: readonly string[]): boolean {
  const [verb = '', ...rest] = argv;
  const words = rest.filter((w, i) => !w.startsWith('-') && !/^(?:-m|--message)$/.test(rest[i - 1] ?? '')).join(' ');
  if (verb === 'stash') return /^(?:push|save.*)?$/.test(words);
  if (verb === 'checkout') return /^(?:HEAD )?(?:\.|:\/)$/.test(words);
  if (verb === 'restore') return /^(?:\.|:\/)$/.test(words) && !rest.some(w => /^-s|^--source/.test(w));
  if (verb === 'reset') return /^(?:HEAD|@)?$/.test(words);
  return verb === 'clean' && /^\.?$/.test(words) && !rest.some(w => /^-[a-zA-Z]*[xX]/.test(w));
}

/** The commit that the whole tree is forced to, where the command names one. */
function bringsTo([verb, ...args]: readonly string[]): string | undefined {
  const words = gitWords(args, '-b -B -c -C -s --source --conflict --create --force-create');
  const [rev, ...more] = words.words;
  const all = [...more, ...(words.paths ?? [])].every(path => path === '.' || path === ':/');
  const forced = has(words, '-f', '--force', '--discard-changes');
  if (!all) return undefined;
  if (verb === 'reset') return has(words, '--hard') ? rev : undefined;
  if (verb === 'switch') return forced ? rev : undefined;
  if (verb === 'checkout') return forced || more.length + (words.paths?.length ?? 0) > 0 ? rev : undefined;
  return verb === 'restore' && (rev === '.' || rev === ':/') ? value(words, '-s', '--source') : undefined;
}
