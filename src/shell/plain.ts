/**
 * Commands that need no parser: plain words and plainly quoted ones, in a row or joined by `&&`, `||`, `|`, `;` and line ends,
 * with nothing written but to /dev/null. Small, because the hook carries it in its own file and most Bash calls end here.
 */
import type { Invocation, Reading } from './effect.ts';
import { names } from './names.ts';

const LONGEST = 4096;
/** One token: a joint, a redirection that writes no file, or a word. */
const TOKEN =
  /[ \t]*(?:(&&|\|\||[|;\n])|((?:2>&1|[12&]?> ?\/dev\/null)(?![^\s;|&]))|((?:[\w@%+:,./=-]|'[^'\n]*'|"[^"$`\\!\n]*")+))/y;

/** The words of each command in the line; null where something else stands in it. */
function plainWords(line: string): string[][] | null {
  if (line.length > LONGEST) return null;
  const text = line.trim();
  const commands: string[][] = [[]];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(text);
    if (!token) return null;
    const words = commands.at(-1)!;
    if (token[3] !== undefined) words.push(token[3].replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    // A line may end after a joint.
    else if (words.length === 0 && (token[1] !== '\n' || commands.length === 1)) return null;
    else if (token[1] !== undefined && words.length > 0) commands.push([]);
  }
  return commands.every(words => words.length > 0) ? commands : null;
}

/** Programs that only read, whatever their operands. Sets: a pattern this long costs a hook its start. */
const READERS = names(
  'ls cat bat head tail less more grep egrep fgrep rg ag wc stat file du df pwd echo printf which whereis type whoami id date ' +
    'uname hostname printenv ps free uptime nproc basename dirname realpath readlink cmp diff md5sum sha1sum sha256sum sha512sum ' +
    'cksum strings od hexdump nl cut tr rev tac fold comm paste join column expand jq true false sleep seq test help tldr lsof ' +
    'pgrep ss netstat dig host nslookup ping arch lscpu tty locale tokei cloc scc wait jobs',
);

const GIT_READERS = names(
  'status log show diff blame shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file name-rev merge-base grep ' +
    'count-objects fetch add remote reflog cherry range-diff whatchanged check-ignore check-attr var version help for-each-ref ' +
    'show-ref branch tag fsck',
);

/** Test runners, with nothing that makes them rewrite what they expect. */
const RUNNERS = names('jest vitest mocha ava tap pytest py.test phpunit rspec tox nox');
const REWRITES = /^(?:-\w*u\w*|--[\w-]*(?:update|snapshot|regen|golden|overwrite|write|fix)[\w-]*(?:=.*)?)$/;
const OUTPUT = /^(?:-[oO]\S*|--?[\w-]*(?:out|output|file|log|report|dir|html|xml|basetemp)[\w-]*(?:=.*)?)$/i;

/** Package scripts are read from the manifest, so `npm test` needs the reader unless the caller knows better. */
const TOOLCHAINS: Record<string, string> = {
  cargo: 'test check build bench doc tree metadata nextest audit',
  go: 'test vet build list version env doc',
  npm: 'ls list outdated audit view info why explain fund ping root bin prefix help search ci install i',
  pnpm: 'ls list outdated audit why install i',
  yarn: 'list outdated audit why info install',
  pip: 'list show freeze check install',
  docker: 'ps images logs inspect version info stats top',
  kubectl: 'get describe logs top version explain',
};

function harmless(argv: string[]): boolean {
  let [program = '', ...args] = argv;
  if (/^(?:npx|bunx)$/.test(program)) {
    while (args[0] === '--no-install' || args[0] === '--yes' || args[0] === '-y') args = args.slice(1);
    [program = '', ...args] = args;
    if (!RUNNERS.has(program))
      return program === 'tsc' && args.includes('--noEmit') && !args.some(arg => OUTPUT.test(arg));
  }
  if (/^python[\d.]*$/.test(program) && args[0] === '-m' && (args[1] === 'pytest' || args[1] === 'unittest'))
    return quiet(args.slice(2));
  if (args.length === 1 && /^(?:--version|-V|--help)$/.test(args[0]!)) return !program.includes('/');
  // A reader may start a program of its own choice before it reads.
  if (READERS.has(program)) return !args.some(arg => /^--(?:pre|pager|hostname-bin)(?:=|$)/.test(arg));
  if (RUNNERS.has(program)) return quiet(args);
  if (program === 'node')
    return (
      args.includes('--test') &&
      args.every(
        arg =>
          !arg.startsWith('-') ||
          (/^--test(?:-[\w-]+)?(?:=[\w.*/-]+)?$/.test(arg) && !/snapshot|destination/.test(arg)),
      )
    );
  if (program === 'find') return !args.some(arg => /^-(?:exec|ok|delete|fprint|fls)/.test(arg));
  if (program === 'cd') return args.length < 2;
  if (program === 'git') return gitReads(args);
  const verbs = Object.hasOwn(TOOLCHAINS, program) ? TOOLCHAINS[program]!.split(' ') : [];
  return verbs.includes(args[0] ?? '') && !args.some(arg => OUTPUT.test(arg) || REWRITES.test(arg));
}

const quiet = (args: string[]): boolean => !args.some(arg => REWRITES.test(arg) || OUTPUT.test(arg));

function gitReads(args: string[]): boolean {
  const [verb = '', ...rest] = args;
  if (verb === 'stash') return rest[0] === 'list' || rest[0] === 'show';
  if (verb === 'worktree') return rest[0] === 'list';
  if (verb === 'config') return /^(?:--list|-l|--get|--get-all)$/.test(rest[0] ?? '');
  return (
    GIT_READERS.has(verb) &&
    !rest.some(
      arg => /^--?(?:output|ext-diff|textconv|open-files-in-pager|exec|upload-pack)/.test(arg) || /^-O/.test(arg),
    )
  );
}

/** The reading of plain commands that change no file; null when the full reader must look. */
export function readPlain(command: string, ctx: { cwd: string }): Reading | null {
  const invocations: Invocation[] = [];
  let { cwd } = ctx;
  for (const argv of plainWords(command) ?? [[]]) {
    if (argv.length === 0 || argv[0]!.includes('=') || !harmless(argv)) return null;
    invocations.push({ argv, cwd, span: [0, command.length] });
    if (argv[0] !== 'cd') continue;
    if (argv.length < 2 || argv[1]!.startsWith('-')) return null;
    cwd = argv[1]!.startsWith('/') ? argv[1]! : `${cwd}/${argv[1]}`;
  }
  return { effects: [], invocations, deliveries: [], hookSkips: [], scripts: [], opaque: [] };
}
