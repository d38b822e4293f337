import { emptyReport, type Report, type SetupError } from './report.ts';

/** What shells, package managers, interpreters and compilers say when no test runner got a word in. */
const SIGNS: readonly { kind: SetupError['kind']; pattern: RegExp }[] = [
  {
    kind: 'missing-command',
    pattern: /^(?:timeout|env|nohup|sudo|xargs|nice|time): .*(?:No such file or directory|not found)$/,
  },
  {
    kind: 'missing-command',
    pattern: /^(?:\S*(?:sh|bash|zsh|dash): )?(?:(?:line )?\d+: )?(?:\S+: )?(?:command )?not found(?:: \S+)?$/,
  },
  {
    kind: 'missing-command',
    pattern: /^\S*(?:sh|bash|zsh|dash): .*(?:not found|No such file or directory|Permission denied)$/,
  },
  { kind: 'missing-command', pattern: /^'\S+' is not recognized as an internal or external command/ },
  {
    kind: 'missing-command',
    pattern: /^(?:npm (?:ERR!|error) )?(?:Missing script: |could not determine executable to run)/i,
  },
  { kind: 'missing-command', pattern: /^(?:npm (?:ERR!|error) )code ENOENT$/ },
  { kind: 'missing-command', pattern: /^error: (?:Script not found|no such command:)/ },
  { kind: 'import', pattern: /^\S*python[\d.]*(?:\.exe)?: (?:No module named |can't open file )/ },
  {
    kind: 'import',
    pattern: /^(?:Error \[ERR_MODULE_NOT_FOUND\]|Error|ReferenceError): Cannot find (?:module|package) /,
  },
  { kind: 'import', pattern: /^ModuleNotFoundError: |^ImportError: / },
  { kind: 'syntax', pattern: /^(?:SyntaxError|IndentationError|TabError): / },
  { kind: 'compile', pattern: /^\S+\(\d+,\d+\): error (?:TS|CS|FS)\d+: |^\S+:\d+:\d+ - error TS\d+: / },
  { kind: 'compile', pattern: /^error(?:\[E\d+\])?: (?:could not compile|aborting due to|linking with)/ },
  { kind: 'compile', pattern: /^\S+:\d+:\d+: (?:fatal )?error: / },
  { kind: 'compile', pattern: /^(?:ninja: build stopped|make(?:\[\d+\])?: \*\*\* )/ },
  {
    kind: 'startup',
    pattern: /^(?:node:internal\/|\w*Error: |Error \[ERR_\w+\]: |Traceback \(most recent call last\):)/,
  },
  { kind: 'startup', pattern: /^(?:Segmentation fault|Killed|Aborted|Bus error|Terminated)(?: \(core dumped\))?$/ },
];

export function outside(output: string): Report {
  const report = emptyReport('none');
  report.counted = false;
  output.split('\n').forEach((line, index) => {
    if (report.setupErrors.length >= 20 || line.length > 2000) return;
    const sign = SIGNS.find(candidate => candidate.pattern.test(line));
    if (sign !== undefined) report.setupErrors.push({ kind: sign.kind, line: index + 1, text: line.trim() });
  });
  const file = brokenFile(output);
  if (report.setupErrors.length > 0 && file !== null) {
    report.counts.errored = 1;
    report.identities.errored = [file];
  }
  return report;
}

/** Node lists who required the missing module, first the file itself; tsc begins its lines with the file. */
function brokenFile(output: string): string | null {
  const match =
    /^Require stack:\n- (\S+)$/m.exec(output) ??
    / imported from (\S+\.[cm]?[jt]sx?)$/m.exec(output) ??
    /^(\S+\.[cm]?tsx?)\(\d+,\d+\): error TS\d+: /m.exec(output);
  return match?.[1]?.split(/[\\/]/).pop() ?? null;
}
