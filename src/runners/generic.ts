import { emptyReport, type Report } from './report.ts';

export type GenericPatterns = {
  successPattern?: string;
  failurePattern?: string;
  identities?: readonly string[];
};

// A pattern is tried line by line; what a longer line says is not a summary.
const LONGEST_LINE = 4000;
// A repeated group that holds a repetition, or two open repetitions side by side, can take time without bound.
const NESTED = /\([^()]*[*+}][^()]*\)[*+{]|\([^()]*\|[^()]*\)[*+{]/;

/** A pattern that a linear-time reading can be promised for, or the reason why not. */
export function safePattern(source: string): { pattern: RegExp } | { problem: string } {
  if (source.length > 500) return { problem: `pattern is longer than 500 characters: ${source.slice(0, 40)}...` };
  const bare = source.replace(/\\./g, 'a').replace(/\[[^\]]*\]/g, 'a');
  if (NESTED.test(bare))
    return { problem: `pattern may take unbounded time (repetition inside a repeated group): ${source}` };
  if (/\\[1-9k]|\(\?<?[=!]/.test(source)) return { problem: `pattern uses look-around or a back reference: ${source}` };
  if ((bare.match(/[*+]|\{\d*,\d*\}/g) ?? []).length > 6)
    return { problem: `pattern has more than 6 repetitions: ${source}` };
  try {
    return { pattern: new RegExp(source, 'u') };
  } catch {
    try {
      return { pattern: new RegExp(source) };
    } catch {
      return { problem: `pattern is not a valid regular expression: ${source}` };
    }
  }
}

/** A program without a known runner: its declared patterns speak, and nothing else does. */
export function generic(lines: readonly string[], patterns: GenericPatterns): Report {
  const report = emptyReport('generic');
  report.counted = false;
  const success = firstMatch(lines, patterns.successPattern, report);
  const failure = firstMatch(lines, patterns.failurePattern, report);
  if (success !== null) {
    report.complete = true;
    report.readFrom.success = success;
  }
  const named = (patterns.identities ?? []).filter(identity => lines.some(line => line.includes(identity)));
  if (failure !== null) {
    report.complete = true;
    report.counts.failed = Math.max(1, named.length);
    report.readFrom.failure = failure;
    report.identities.failed = named;
    report.assertions = named.length > 0 ? [...named] : [lines[failure - 1]?.trim() ?? ''];
    if (success !== null) report.contradictions.push('both the success pattern and the failure pattern match');
  } else if (success !== null) {
    report.identities.passed = named;
    report.counts.passed = named.length;
  }
  return report;
}

function firstMatch(lines: readonly string[], source: string | undefined, report: Report): number | null {
  if (source === undefined || source === '') return null;
  const safe = safePattern(source);
  if ('problem' in safe) {
    report.contradictions.push(safe.problem);
    return null;
  }
  const at = lines.findIndex(line => line.length <= LONGEST_LINE && safe.pattern.test(line));
  return at === -1 ? null : at + 1;
}
