import { bookFailure, fault, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';

const RAN = /^Ran (\d+) tests?\.$/;
const RESULT = /^(OK|FAILED)(?: \((.*)\))?$/;

function closingAt(lines: readonly string[]): number {
  return lines.findLastIndex(
    (line, i) => RAN.test(line) && (lines[i + 1] ?? '') === '' && RESULT.test(lines[i + 2] ?? ''),
  );
}

export const shunit2: Runner = {
  name: 'shunit2',
  ends: lines => (closingAt(lines) < 0 ? [] : [closingAt(lines) + 3]),
  recognise(output) {
    const lines = output.split('\n');
    if (closingAt(lines) >= 0) return 85;
    return lines.some(line => /^(?:ASSERT|shunit2):(?:expected|FATAL|ERROR|WARN)/.test(line)) ? 61 : 0;
  },
  parse(output) {
    const report = emptyReport('shunit2');
    const lines = output.split('\n');
    const at = closingAt(lines);
    let current = '';
    const order: string[] = [];
    const failed = new Map<string, { index: number; text: string }>();
    const thrown = new Map<string, { index: number; text: string }>();
    for (let i = 0; i < (at < 0 ? lines.length : at); i++) {
      const line = lines[i] ?? '';
      if (/^test\w*$/.test(line)) {
        current = line;
        order.push(line);
      } else if (line.startsWith('ASSERT:') && current !== '' && !failed.has(current))
        failed.set(current, { index: i, text: line });
      else if (/^shunit2:(?:FATAL|ERROR) /.test(line)) {
        if (current === '' || / returned non-zero return code/.test(line))
          thrown.set(current, { index: i, text: line });
        else fault(report, 'startup', i, line);
      }
    }
    for (const name of order) {
      const assertion = failed.get(name);
      const error = thrown.get(name);
      if (assertion) bookFailure(report, 'failed', name, true, assertion.index, assertion.text);
      else if (error) bookFailure(report, 'failed', name, false, error.index, error.text);
    }
    for (const [name, { index, text }] of thrown) if (!order.includes(name)) fault(report, 'hook', index, text);
    if (at < 0) {
      report.crashed = report.setupErrors.length === 0;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const ran = Number(RAN.exec(lines[at] ?? '')?.[1] ?? 0);
    const [, word, details = ''] = RESULT.exec(lines[at + 2] ?? '') ?? [];
    const skips = Number(/skipped=(\d+)/.exec(details)?.[1] ?? 0);
    report.counts.skipped = Math.min(skips, Math.max(0, ran - report.counts.failed));
    report.counts.passed = Math.max(0, ran - report.counts.failed - report.counts.skipped);
    if (word === 'OK' && report.counts.failed > 0) report.contradictions.push('OK beside a failed assertion');
    if (word === 'FAILED' && report.counts.failed === 0) report.counts.failed = 1;
    const named = order.filter(name => !failed.has(name) && !thrown.has(name));
    if (report.counts.skipped === 0 && named.length === report.counts.passed)
      report.identities.passed = report.identities.passed.concat(named);
    return report;
  },
};
