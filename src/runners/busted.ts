import { bookFailure, program, readAt } from './book.ts';
import { emptyReport, type Runner } from './report.ts';

const SUMMARY = /^(\d+) success(?:es)? \/ (\d+) failures? \/ (\d+) errors? \/ (\d+) pending : [\d.]+ seconds$/;
const BLOCK = /^(Failure|Error|Pending) → .+ @ \d+$|^(Failure|Error|Pending) -> .+ @ \d+$/;

export const busted: Runner = {
  name: 'busted',
  closing: SUMMARY,
  recognise(output, argv) {
    const named = program(argv) === 'busted' ? 20 : 0;
    return output.split('\n').some(line => SUMMARY.test(line)) ? 88 : named;
  },
  parse(output) {
    const report = emptyReport('busted');
    const lines = output.split('\n');
    const firstBlock = lines.findIndex(line => BLOCK.test(line));
    const candidates: number[] = [];
    lines.forEach((line, i) => {
      if (SUMMARY.test(line)) candidates.push(i);
    });
    // The blocks follow the summary at once; without blocks the first whole line is the runner's.
    const before = candidates.filter(i => firstBlock < 0 || i < firstBlock);
    const at = firstBlock < 0 ? candidates[0] : before[before.length - 1];
    for (let i = at ?? lines.length; i < lines.length; i++) {
      const match = BLOCK.exec(lines[i] ?? '');
      const word = match?.[1] ?? match?.[2];
      if (!word) continue;
      const name = (lines[i + 1] ?? '').trim();
      const cause = lines[i + 2] ?? '';
      const file = /^suite (.+)$/.exec(name)?.[1];
      if (word === 'Failure') bookFailure(report, 'failed', name, true, i, cause);
      else if (word === 'Pending') report.identities.skipped.push(name);
      else if (file)
        bookFailure(
          report,
          'errored',
          file,
          false,
          i,
          cause,
          /module '.*' not found/.test(cause)
            ? 'import'
            : /(?:expected|unexpected symbol|near)/.test(cause)
              ? 'syntax'
              : 'collection',
        );
      else
        bookFailure(
          report,
          'errored',
          name,
          false,
          i,
          cause,
          /(?:before|after)_each$|(?:^| )(?:setup|teardown)$/.test(name) ? 'hook' : 'thrown',
        );
    }
    if (at === undefined) {
      report.crashed = true;
      return report;
    }
    report.complete = true;
    readAt(report, 'summary', at);
    const [, passed = 0, failed = 0, errored = 0, skipped = 0] = (SUMMARY.exec(lines[at] ?? '') ?? []).map(Number);
    report.counts = { passed, failed, errored, skipped, todo: 0 };
    return report;
  },
};
