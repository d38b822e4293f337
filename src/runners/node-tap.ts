import { book, fault, program, readAt } from './book.ts';
import { kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { type TapPoint, tapDocument, yamlValue } from './tap-lines.ts';

/** `# { total: 2, pass: 1, fail: 1 }` closes the TAP; the terminal reporters print `# failed N of M`. */
const TOTAL = /^# \{ total: (\d+)(?:, (?:pass|fail|skip|todo): \d+)* \}$/;

export const nodeTap: Runner = {
  name: 'node-tap',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (lines.some(line => TOTAL.test(line))) return 91;
    if (/^TAP version 14$/m.test(output) && /^ *# Subtest: /m.test(output)) return 70;
    if (/node_modules\/@tapjs\//.test(output)) return 62;
    return argv.some(word => /^(?:\S*\/)?tap$/.test(word)) || program(argv) === 'tap' ? 55 : 0;
  },
  parse(output) {
    return fromTap(output.split('\n'));
  },
  opening: /^TAP version 14$/,
  closing: TOTAL,
};

function fromTap(lines: readonly string[]): Report {
  const report = emptyReport('node-tap');
  const document = tapDocument(lines);
  const visit = (point: TapPoint, path: string[]): void => {
    // The outermost points are files.
    const names = path.length === 0 && /\.[cm]?[jt]sx?$/.test(point.name) ? [''] : [...path, point.name];
    if (point.children.length > 0) {
      for (const child of point.children) visit(child, names);
      return;
    }
    const identity = names.filter(name => name !== '').join(' > ');
    if (point.directive !== null) book(report, point.directive === 'skip' ? 'skipped' : 'todo', identity);
    else if (identity === '') {
      if (point.ok) return;
      book(report, 'errored', point.name);
      const signal = yamlValue(point.yaml, 'signal') ?? 'null';
      if (signal !== 'null' && signal !== '~') report.crashed = true;
      const context = lines.slice(Math.max(0, point.index - 40), point.index).join('\n');
      fault(report, kindOfError(context, 'startup'), point.index, `${point.name}: the file did not run to its end`);
    } else if (point.ok) book(report, 'passed', identity);
    else failed(report, point, identity);
  };
  for (const point of document.points) if (point.depth === 0) visit(point, []);
  const at = lines.findLastIndex(line => TOTAL.test(line));
  if (at === -1) return report;
  const top = document.points.filter(point => point.depth === 0).length;
  report.complete = document.plans.some(plan => plan.depth === 0 && plan.count === top);
  readAt(report, 'counts', at);
  return report;
}

function failed(report: Report, point: TapPoint, identity: string): void {
  const asserted =
    point.yaml.some(line => /^\s*(?:compare|diff|found|wanted|doNotWant|pattern):/.test(line)) ||
    /ERR_ASSERTION|AssertionError/.test(point.yaml.join('\n'));
  if (/^(?:timeout!|test unfinished)/.test(point.name) || /test unfinished/.test(point.name)) {
    book(report, 'errored', identity);
    fault(report, /timeout/.test(point.name) ? 'timeout' : 'other', point.index, identity);
    return;
  }
  book(report, 'failed', identity);
  if (asserted && !/^\s*tapCaught:/m.test(point.yaml.join('\n'))) report.assertions.push(identity);
  else fault(report, kindOfError(point.yaml.join('\n'), 'thrown'), point.index, identity);
}
