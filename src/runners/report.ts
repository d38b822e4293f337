/** What a runner's output says. Nothing here judges: that is `checks/judge.ts`. */

export type Outcome = 'passed' | 'failed' | 'errored' | 'skipped' | 'todo';

export type SetupError = {
  kind:
    | 'import'
    | 'syntax'
    | 'compile'
    | 'collection'
    | 'startup'
    | 'hook'
    | 'thrown'
    | 'timeout'
    | 'missing-command'
    | 'other';
  /** 1-based line in the output. */
  line: number;
  text: string;
};

export type Report = {
  runner: string;
  counts: Record<Outcome, number>;
  /** False where the output says that tests ran but not how many (plain `go test`, dot reporters). */
  counted: boolean;
  identities: Record<Outcome, string[]>;
  /** Failed tests seen to fail on an assertion. */
  assertions: string[];
  setupErrors: SetupError[];
  /** The runner's own closing summary was seen. */
  complete: boolean;
  /** Signs that the run ended before its end (a section without a result, a plan not met, a signal). */
  crashed: boolean;
  /** Facts that contradict each other or the exit code, in words. */
  contradictions: string[];
  /** 1-based output line each fact was read from. */
  readFrom: Record<string, number>;
  /** A runner that waits for changes instead of ending. */
  watch: boolean;
  /** The runner was told that no tests is fine (`--passWithNoTests`) and says so. */
  emptyAllowed?: boolean;
  /** Of several sections, how many ran no test at all. */
  emptySections?: number;
  /** What a judge should know and a reader should see, without weight in the verdict. */
  notes?: string[];
};

export type Runner = {
  name: string;
  /**
   * 0 = not mine; 20 = argv names me, nothing in the text does; 40 = some line that others might print too;
   * 60 = my own closing or opening line; 90 = a whole summary block of mine. Higher wins, earlier in the registry on a
   * tie. `argv` may be empty. For long outputs `output` is an extract: enough lines of each shape, in order.
   */
  recognise(output: string, argv: readonly string[]): number;
  /** `output` has no ANSI codes, no carriage returns and no workspace prefixes. */
  parse(output: string): Report;
  /**
   * Optional, for outputs that hold several runs. `opening`: a line that only the start of a run of this runner has
   * (a second one starts a second run). `closing`: the last line of its summary; text after it may belong to another
   * runner. Without them `parse` gets everything and sums repeated runs itself.
   */
  opening?: RegExp;
  closing?: RegExp;
  /** Optional, instead of `opening`: for each complete run, the 0-based line after its last one. */
  ends?(lines: readonly string[]): number[];
};

export function emptyReport(runner: string): Report {
  return {
    runner,
    counts: { passed: 0, failed: 0, errored: 0, skipped: 0, todo: 0 },
    counted: true,
    identities: { passed: [], failed: [], errored: [], skipped: [], todo: [] },
    assertions: [],
    setupErrors: [],
    complete: false,
    crashed: false,
    contradictions: [],
    readFrom: {},
    watch: false,
  };
}
