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
};

export type Runner = {
  name: string;
  /** 0 = not mine; higher wins. `argv` may be empty when only the text is known. */
  recognise(output: string, argv: readonly string[]): number;
  /** `output` has no ANSI codes, no carriage returns and no workspace prefixes. */
  parse(output: string): Report;
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
