/**
 * Commands that need no parser: plain words and plainly quoted ones, in a row or joined by `&&`, `||`, `|`, `;` and line ends,
 * with nothing written but to /dev/null. Small, because the hook carries it in its own file and most Bash calls end here.
 */
import type { Invocation, Reading } from './effect.ts';
import { cutLine } from './line.ts';
import { names } from './names.ts';

/** Programs that only read, whatever their operands. Sets: a pattern this long costs a hook its start. */
const READERS = names(
  'ls cat head tail grep egrep fgrep rg wc stat du df pwd echo printf which whereis type whoami id date ' +
    'uname printenv ps free uptime nproc basename dirname realpath readlink cmp diff md5sum sha1sum sha256sum sha512sum ' +
    'cksum strings od hexdump nl cut tr rev tac fold comm paste join column expand jq true false sleep seq test help pgrep',
);

/** Readers that a flag makes start a program, set a variable or the clock; the shell evaluates a subscript of `test`, `printf`. */
const STARTERS = names('rg test printf date');
const STARTS = /^(?:-\w*[svR]|--(?:pre(?:=|$)|ho|s))|\[/;

const GIT_READERS = names(
  'status log show diff blame shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file name-rev merge-base grep ' +
    'count-objects fetch add remote reflog cherry range-diff whatchanged check-ignore check-attr var version for-each-ref ' +
    'show-ref branch tag fsck',
);
/** Git takes any beginning of a long flag, and short ones in clusters. */
const GIT_STARTS = /^(?:-\w*O|--(?:ou|op|ex[et]|u(?:p|=|$)|textc))/;

const RUNNERS = names('jest vitest mocha ava pytest py.test');
/** Flags that make no test runner or toolchain start a program, read a configuration or write where they say. */
const MILD =
  /^(?:-[abd-nqstv-z]{1,2}\d*|-ra|--(?:ci|cov(?:erage)?|run|runInBand|exit|bail|lf|all|lib|release|workspace|(?:no-|max|testN|testP|verb|silent|quiet|color|tb|dur|last|forceE|grep|strict|disable|show|collect|pass)[\w-]*)(?:=[\w.,:/]*)?)$/;

/** Package scripts are read from the manifest, so `npm test` needs the reader unless the caller knows better. */
const TOOLCHAINS: Record<string, string> = {
  cargo: 'test check build bench doc tree metadata nextest',
  go: 'test vet build list version doc',
  npm: 'ls list outdated audit view info why explain fund ping root bin prefix help search ci install i',
  pnpm: 'ls list outdated audit why install i',
  yarn: 'list outdated audit why info install',
  pip: 'list show freeze check',
  docker: 'ps images logs inspect version info stats top',
  kubectl: 'get describe logs top version explain',
};

function harmless(argv: string[]): boolean {
  let [program = '', ...args] = argv;
  if (/^(?:npx|bunx)$/.test(program)) {
    while (args[0] === '--no-install' || args[0] === '--yes' || args[0] === '-y') args = args.slice(1);
    [program = '', ...args] = args;
    if (!RUNNERS.has(program))
      return (
        program === 'tsc' &&
        args.includes('--noEmit') &&
        args.every(arg => /^(?:--noEmit|-p|\.|[\w./]+json)$/.test(arg))
      );
  }
  if (/^python[\d.]*$/.test(program) && args[0] === '-m' && (args[1] === 'pytest' || args[1] === 'unittest'))
    return quiet(args.slice(2));
  if (args.length === 1 && /^--(?:version|help)$/.test(args[0]!)) return !program.includes('/');
  if (READERS.has(program)) return !STARTERS.has(program) || !args.some(arg => STARTS.test(arg));
  if (RUNNERS.has(program)) return quiet(args);
  if (program === 'node')
    return (
      args[0] === '--test' &&
      args.every(arg =>
        /^(?:--test(?:-(?!.*(?:snap|dest|rerun|setup))[\w-]+)?(?:=[\w*]+)?|[^-].*(?:test|spec).*)$/.test(arg),
      )
    );
  if (program === 'find') return !args.some(arg => /^-(?:exec|ok|delete|fprint|fls)/.test(arg));
  if (program === 'cd') return args.length < 2;
  if (program === 'git') return gitReads(args);
  const verbs = Object.hasOwn(TOOLCHAINS, program) ? TOOLCHAINS[program]!.split(' ') : [];
  return verbs.includes(args[0] ?? '') && quiet(args.filter(arg => !/^-(?:run|race|count|short)\b/.test(arg)));
}

/** `@` names a file of further arguments. */
const quiet = (args: string[]): boolean => args.every(arg => /^[^-@]/.test(arg) || MILD.test(arg));

function gitReads(args: string[]): boolean {
  const [verb = '', ...rest] = args;
  if (rest.some(arg => GIT_STARTS.test(arg))) return false;
  if (verb === 'stash') return rest[0] === 'list' || rest[0] === 'show';
  if (verb === 'worktree') return rest[0] === 'list';
  if (verb === 'config') return /^(?:--list|-l|--get|--get-all)$/.test(rest[0] ?? '');
  return GIT_READERS.has(verb);
}

/** The reading of plain commands that change no file; null when the full reader must look. */
export function readPlain(command: string, ctx: { cwd: string }): Reading | null {
  const line = cutLine(command);
  if (!line) return null;
  const invocations: Invocation[] = [];
  let { cwd } = ctx;
  for (const tokens of line.commands) {
    const words = tokens.flatMap(token => (token.kind === 'word' ? [token] : []));
    const argv = words.map(token => token.value);
    const [program, to] = argv;
    if (program!.includes('=') || words[0]!.loose || !harmless(argv)) return null;
    // What a pattern or a variable stands for may be a flag.
    if (words.some(token => token.loose) && !(READERS.has(program!) && !STARTERS.has(program!))) return null;
    invocations.push({ argv, cwd, span: [0, command.length] });
    if (program !== 'cd') continue;
    if (to === undefined || to.startsWith('-')) return null;
    cwd = to.startsWith('/') ? to : `${cwd}/${to}`;
  }
  return { effects: [], invocations, deliveries: [], hookSkips: [], scripts: [], opaque: [] };
}
