import { bookFailure, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';

const SUMMARY =
  /^(\d+) tests, (\d+) assertions, (\d+) failures, (\d+) errors, (\d+) pendings, (\d+) omissions, (\d+) notifications$/;
const RULE = /^={79}$/;
const BLOCK = /^(Failure|Error|Pending|Omission|Notification): (.*)$/;

function identityOf(text: string): string {
  const match = /([^\s[(]+)\(([\w:]+)\)/.exec(text);
  return match ? `${match[2]}#${match[1]}` : text;
}

export const testUnit: Runner = {
  name: 'test-unit',
  closing: SUMMARY,
  recognise(output) {
    let best = 0;
    for (const line of output.split('\n')) {
      if (SUMMARY.test(line)) best = Math.max(best, 88);
      else if (/^Loaded suite \S+/.test(line)) best = Math.max(best, 62);
    }
    return best;
  },
  parse(output) {
    const report = emptyReport('test-unit');
    const lines = output.split('\n');
    const after = lines.findLastIndex((line, i) => RULE.test(line) && BLOCK.test(lines[i + 1] ?? ''));
    const finished = lines.findIndex((line, i) => i > after && /^Finished in [\d.e-]+ seconds\.$/.test(line));
    const at = finished < 0 ? -1 : lines.findIndex((line, i) => i > finished && SUMMARY.test(line));
    const end = at < 0 ? lines.length : at;
    for (let i = 0; i < end; i++) {
      const block = RULE.test(lines[i] ?? '') ? BLOCK.exec(lines[i + 1] ?? '') : null;
      if (!block) continue;
      const [, word = '', text = ''] = block;
      const id = identityOf(text);
      const hook = /:in ['`](?:\w+#)?(?:setup|teardown|startup|shutdown)'$/.test(lines[i + 2] ?? '');
      if (word === 'Failure' && !hook) bookFailure(report, 'failed', id, true, i + 1, text);
      else if (word === 'Failure' || word === 'Error')
        bookFailure(report, 'errored', id, false, i + 1, text, hook ? 'hook' : 'thrown');
      else if (word === 'Pending') report.identities.todo.push(id);
      else if (word === 'Omission') report.identities.skipped.push(id);
    }
    if (at < 0) {
      report.crashed = true;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const [, tests = 0, , failures = 0, errors = 0, pendings = 0, omissions = 0] = (
      SUMMARY.exec(lines[at] ?? '') ?? []
    ).map(Number);
    const moved = Math.max(0, report.counts.errored - errors);
    report.counts.failed = Math.max(0, failures - moved);
    report.counts.errored = errors + moved;
    report.counts.skipped = omissions;
    report.counts.todo = pendings;
    report.counts.passed = Math.max(0, tests - failures - errors - pendings - omissions);
    return report;
  },
};
