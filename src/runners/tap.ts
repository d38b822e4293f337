import { book, fault, readAt } from './book.ts';
import { kindOfError } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { type TapPoint, tapDocument } from './tap-lines.ts';

const POINT = /^(?:not )?ok(?: \d+)?(?:$| )/m;
const PLAN = /^1\.\.\d+(?:\s|$)/m;

/** Any other producer of TAP, by the protocol's own rules: a plan, kept, and no bail-out. */
export const tap: Runner = {
  name: 'tap',
  recognise(output) {
    if (/^TAP version \d+$/m.test(output)) return 58;
    if (PLAN.test(output) && (POINT.test(output) || /^1\.\.0/m.test(output))) return 57;
    return /^(?:not )?ok \d+(?: - | |$)/m.test(output) ? 33 : 0;
  },
  parse(output) {
    return fromTap(output.split('\n'));
  },
  opening: /^TAP version \d+$/,
};

function fromTap(lines: readonly string[]): Report {
  const report = emptyReport('tap');
  const document = tapDocument(lines);
  const top = document.points.filter(point => point.depth === 0);
  for (const point of top) visit(report, point, [], lines);
  if (document.bailOut !== null) {
    report.crashed = true;
    fault(report, 'other', document.bailOut.index, `Bail out! ${document.bailOut.text}`);
  }
  const plan = document.plans.find(candidate => candidate.depth === 0);
  if (plan === undefined) return report;
  readAt(report, 'plan', plan.index);
  const skipAll = plan.count === 0 && /^skip/i.test(plan.why);
  if (skipAll) report.counts.skipped++;
  if (plan.count === top.length) report.complete = true;
  else fault(report, 'other', plan.index, `planned ${plan.count} tests but ran ${top.length}`);
  return report;
}

function visit(report: Report, point: TapPoint, path: string[], lines: readonly string[]): void {
  const names = point.name === '' ? [...path, `${point.id ?? ''}`] : [...path, point.name];
  if (point.children.length > 0) {
    for (const child of point.children) visit(report, child, names, lines);
    return;
  }
  const identity = names.join(' > ');
  if (point.directive !== null) book(report, point.directive === 'skip' ? 'skipped' : 'todo', identity);
  else if (point.ok) book(report, 'passed', identity);
  else {
    book(report, 'failed', identity);
    const detail = detailOf(point, lines);
    if (
      /\b(?:expected|operator|wanted|got|found|actual)\b\s*:|AssertionError|ERR_ASSERTION|' failed$|Failed test/m.test(
        detail,
      )
    )
      report.assertions.push(identity);
    else if (/Error\b.*:|Died|died at|command not found/.test(detail))
      fault(report, kindOfError(detail, 'thrown'), point.index, `${identity}: ${detail.trim().split('\n')[0] ?? ''}`);
    else report.notes = [...(report.notes ?? []), `${identity} failed without a diagnostic`];
  }
}

/** YAML, or the comments and indented lines that follow the point. */
function detailOf(point: TapPoint, lines: readonly string[]): string {
  if (point.yaml.length > 0) return point.yaml.join('\n');
  let end = point.index + 1;
  while (end < lines.length && /^(?:#|\s+\S)/.test(lines[end] ?? '')) end++;
  return lines.slice(point.index + 1, end).join('\n');
}
