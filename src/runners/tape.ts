import { book, fault, program, readAt } from './book.ts';
import { kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { tapCounts, tapDocument, yamlValue } from './tap-lines.ts';

/** `# tests N`, `# pass  N` (two spaces), and `# fail  N` or `# ok`. */
function closingAt(lines: readonly string[]): number {
  return lines.findLastIndex(
    (line, index) => /^# tests \d+$/.test(line) && /^# pass {2}\d+$/.test(lines[index + 1] ?? ''),
  );
}

export const tape: Runner = {
  name: 'tape',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (closingAt(lines) !== -1) return 90;
    if (/^ {4}operator: \w+$/m.test(output) && /^not ok \d+ /m.test(output)) return 75;
    if (/^TAP version 13$/m.test(output) && /^# (?!Subtest)\S.*\nok \d+ (?!- )/m.test(output)) return 65;
    if (/node_modules\/tape\//.test(output)) return 62;
    return argv.some(word => /^(?:\S*\/)?tape$/.test(word)) || program(argv) === 'tape' ? 55 : 0;
  },
  parse(output) {
    return fromTap(output.split('\n'));
  },
  opening: /^TAP version 13$/,
  closing: /^# (?:ok|fail {2}\d+)$/,
};

function fromTap(lines: readonly string[]): Report {
  const report = emptyReport('tape');
  const document = tapDocument(lines);
  const closing = closingAt(lines);
  const fails = tapCounts(document).get('fail')?.value ?? 0;
  const points = document.points.filter(point => point.depth === 0);
  const plainFails = points.filter(point => !point.ok && point.directive === null).length;
  // Author text is printed as it is: where the total needs them, `not ok ... # SKIP` are failures with an odd name.
  const namesLie = closing !== -1 && fails > plainFails;
  for (const point of points) {
    const name = point.heading === '' ? point.name : `${point.heading} > ${point.name}`;
    if (point.directive !== null && !(namesLie && !point.ok)) {
      book(report, point.directive === 'skip' ? 'skipped' : 'todo', name);
    } else if (point.ok) book(report, 'passed', name);
    else if (/^test exited without ending: /.test(point.name)) {
      report.crashed = true;
      fault(report, 'other', point.index, point.name);
    } else {
      const full = point.directive === null ? name : `${name} # ${point.directive.toUpperCase()} ${point.why}`.trim();
      book(report, 'failed', full);
      const operator = yamlValue(point.yaml, 'operator') ?? '';
      const own =
        /^plan != count$/.test(point.name) || /^\.end\(\) /.test(point.name) || /timed out after/.test(point.name);
      if (operator === '' || operator === 'error' || operator === 'ifError' || own) {
        fault(report, kindOfError(point.name, own ? 'other' : 'thrown'), point.index, `${full}: operator ${operator}`);
      } else report.assertions.push(full);
    }
  }
  const thrown = lines.findIndex(line => /^(?:Uncaught )?\w*Error(?: \[\w+\])?: /.test(line));
  if (closing === -1) {
    if (thrown !== -1) {
      const loaded = document.points.length > 0 || document.comments.length > 0;
      book(report, 'errored', loaded ? (document.comments.at(-1)?.text.trim() ?? '') : requiredFrom(lines));
      fault(report, kindOfError(lines[thrown] ?? '', loaded ? 'thrown' : 'startup'), thrown, lines[thrown] ?? '');
    }
    return report;
  }
  report.complete = document.plans.some(plan => plan.depth === 0 && plan.count === points.length);
  readAt(report, 'counts', closing);
  if (fails !== report.counts.failed && !report.crashed)
    report.contradictions.push(`the totals say ${fails} failed, the list shows ${report.counts.failed}`);
  return report;
}

function requiredFrom(lines: readonly string[]): string {
  const from = /^- (\S+)$/.exec(lines.find(line => /^- \S+$/.test(line)) ?? '');
  return from?.[1]?.split('/').slice(-2).join('/') ?? '';
}
