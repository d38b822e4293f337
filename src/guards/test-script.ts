/** What makes the command that runs the tests say less than they do. Pure text. */

const RUNNER =
  /\b(?:jest|vitest|mocha|ava|tap|tape|jasmine|karma|cypress|playwright|uvu|qunit|wdio|pytest|py\.test|unittest|nose2?|tox|nox|phpunit|pest|rspec|minitest|rake|cargo|nextest|go|dotnet|mvn|gradlew?|ctest|bats|prove|busted|deno|bun|swift|mix|npm|pnpm|yarn|make|turbo|nx|lerna|tsx|ts-node|c8|nyc|react-scripts|ng|touchstone|python3?|bash|sh)\b|\bnode\s+(?:\S+\s+)*?(?:--test\b|[\w./-]+\.[cm]?[jt]s\b)/;

/** Endings and options, each with what it does. The order is that of telling. */
const WEAKER: readonly [RegExp, string][] = [
  [/\|\|\s*(?:true|:|exit(?:\s+0)?|echo\b|\/bin\/true|printf\b)/, 'would swallow the failure'],
  [/;\s*(?:true|:|exit(?:\s+0)?|echo\b[^;&|]*)\s*["']?$|;\s*exit\s+0\b/, 'would replace the exit status'],
  [/[^|]\|\s*(?:cat|tee|tail|head|grep|less|more|sed|awk|sort)\b/, 'hides the exit status behind a pipe'],
  [/[^&>]&\s*["']?$/, 'leaves the run in the background'],
  [/(?:^|&&\s*|;\s*)!\s/, 'turns the exit status round'],
  [/--pass-?[wW]ith-?[nN]o-?[tT]ests\b|--allow-no-tests\b|--suppress-no-test-exit-code\b/, 'passes without tests'],
  [
    /--testPathIgnorePatterns?\b|--modulePathIgnorePatterns\b|--ignore(?:-glob|-pattern)?(?=[\s=])|--exclude(?:=|\s)|--deselect\b|--skip\b|--grep-invert\b|(?:^|\s)--invert\b/,
    'leaves tests out',
  ],
  [
    /--testPathPatterns?\b|--testNamePattern\b|--onlyChanged\b|--changedSince\b|--onlyFailures\b|--changed\b|--findRelatedTests\b|--related\b|--grep\b|--shard\b|(?:^|\s)-(?:k|t|g)(?=[\s=])|(?:^|\s)-m\s+(?:["']|not\b)|--lf\b|--last-failed\b|--collect-only\b|(?:^|\s)--co(?=\s|$)|--listTests\b|--list(?:=|\s|$)|--no-run\b|--setup-only\b/,
    'runs a part of the tests only',
  ],
  [
    /(?:^|\s)-(?:u|w)(?=\s|$)|--update(?:-?[sS]napshots?)?\b|--snapshot-update\b|--updateSnapshot\b/,
    'rewrites what the tests expect',
  ],
  [
    /--continue-on-collection-errors\b|--force-?[eE]xit\b.*\|\||--dangerouslyIgnoreUnhandledErrors\b|(?:^|\s)-p\s+no:/,
    'goes on after errors',
  ],
  [
    /(?:^|\s)--config(?:=|\s)|--rootDir\b|(?:^|\s)-c\s+\S+\.(?:ini|cfg|toml|[cm]?[jt]s(?:on)?)\b|--rootdir\b/,
    'takes another configuration',
  ],
];

/** The kind of the first weakening a command line shows; null where it shows none. */
export function weakerLine(line: string): string | null {
  return WEAKER.find(([pattern]) => pattern.test(line))?.[1] ?? null;
}

/** What the change from one test command to another weakens. */
export function weakerScript(from: string, to: string, whole = true): string | null {
  for (const [pattern, what] of WEAKER) if (pattern.test(to) && !pattern.test(from)) return what;
  if (!RUNNER.test(to) && (whole ? from === '' || RUNNER.test(from) : /^(?:true|:|exit\b|echo\b|printf\b)/.test(to)))
    return 'would run no tests';
  return null;
}
