import { book, fault, program, readAt } from './book.ts';
import { kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { tapDocument, yamlValue } from './tap-lines.ts';

/** Plan, then `# pass`, `# skip`, `# todo`, `# fail` on consecutive lines. */
function closingAt(lines: readonly string[]): number {
  return lines.findLastIndex(
    (line, index) =>
      /^1\.\.\d+$/.test(line) &&
      ['pass', 'skip', 'todo', 'fail'].every((word, offset) =>
        (lines[index + 1 + offset] ?? '').startsWith(`# ${word} `),
      ),
  );
}

export const qunit: Runner = {
  name: 'qunit',
  recognise(output, argv) {
    if (closingAt(output.split('\n')) !== -1) return 90;
    if (/^Error: Process exited before tests finished running$/m.test(output)) return 75;
    if (/^ {2}severity: (?:failed|todo)$/m.test(output)) return 75;
    if (/node_modules\/qunit\//.test(output)) return 62;
    return argv.some(word => /^(?:\S*\/)?qunit(?:\.js)?$/.test(word)) || program(argv) === 'qunit' ? 55 : 0;
  },
  parse(output) {
    return fromTap(output.split('\n'));
  },
  opening: /^TAP version 13$/,
  closing: /^# fail \d+$/,
};

function fromTap(lines: readonly string[]): Report {
  const report = emptyReport('qunit');
  const document = tapDocument(lines);
  const points = document.points.filter(point => point.depth === 0);
  const closing = closingAt(lines);
  for (const point of points) {
    if (point.directive !== null) book(report, point.directive === 'skip' ? 'skipped' : 'todo', point.name);
    else if (point.ok) book(report, 'passed', point.name);
    else failed(report, point.name, point.index, point.yaml);
  }
  if (lines.some(line => /^Error: Process exited before tests finished running$/.test(line))) report.crashed = true;
  if (closing === -1) {
    const thrown = lines.findIndex(line => /^\w*Error(?: \[\w+\])?: /.test(line));
    if (thrown !== -1 && !report.crashed)
      fault(report, kindOfError(lines[thrown] ?? '', 'startup'), thrown, lines[thrown] ?? '');
    return report;
  }
  report.complete = true;
  readAt(report, 'counts', closing);
  const fails = Number(/\d+/.exec(lines[closing + 4] ?? '')?.[0] ?? 0);
  const seen = points.filter(point => !point.ok && point.directive === null).length;
  if (fails !== seen) report.contradictions.push(`the totals say ${fails} failed, the list shows ${seen}`);
  return report;
}

function failed(report: Report, name: string, index: number, yaml: readonly string[]): void {
  const message = (yamlValue(yaml, 'message') ?? '').replace(/^"|"$/g, '');
  if (/(?:^|> )global failure$/.test(name)) {
    if (/^(?:Error: )?No tests (?:were run|matched)/.test(message)) return;
    book(report, 'errored', name);
    fault(report, kindOfError(yaml.join('\n'), 'startup'), index, `${name}: ${message}`);
    return;
  }
  if (/^(?:before|after)(?:Each)? failed on /.test(message)) {
    book(report, 'errored', name);
    fault(report, 'hook', index, `${name}: ${message}`);
    return;
  }
  book(report, 'failed', name);
  const thrown =
    /^(?:Died on test #\d|Promise rejected |Test took longer than |Expected at least one assertion|Expected \d+ assertions)/.test(
      message,
    );
  const compares = yamlValue(yaml, 'actual') !== undefined || yamlValue(yaml, 'expected') !== undefined;
  if (!thrown && compares) report.assertions.push(name);
  else fault(report, kindOfError(message, 'thrown'), index, `${name}: ${message}`);
}
