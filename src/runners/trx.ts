import { book, fault, readAt } from './book.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { child, descendants, type Element, readXml } from './xml.ts';

const START = /^[ \t]*(?:<\?xml [^>]*\?>\s*)?<TestRun[\s>]/m;

export const trx: Runner = {
  name: 'trx',
  recognise(output) {
    return START.test(output) ? 88 : 0;
  },
  parse(output) {
    return parseTrx(output);
  },
  closing: /<\/TestRun>\s*$/,
};

/** Visual Studio's test results, as `dotnet test --logger trx` writes them. */
export function parseTrx(output: string): Report {
  const report = emptyReport('trx');
  const from = output.search(START);
  if (from === -1) return report;
  const offset = output.slice(0, from).split('\n').length - 1;
  const end = output.lastIndexOf('</TestRun>');
  const xml = readXml(output.slice(from, end === -1 ? undefined : end + 10));
  if ('problem' in xml) {
    fault(report, 'other', offset + xml.line - 1, `report file: ${xml.problem}`);
    return report;
  }
  const owners = new Map<string, string>();
  for (const definition of descendants(xml.root, 'UnitTest')) {
    const method = child(definition, 'TestMethod');
    if (definition.attributes.id !== undefined)
      owners.set(definition.attributes.id, method?.attributes.className ?? '');
  }
  for (const result of descendants(xml.root, 'UnitTestResult')) readResult(report, result, owners, offset);
  const summary = descendants(xml.root, 'ResultSummary')[0];
  report.complete = summary !== undefined;
  if (summary !== undefined) {
    readAt(report, 'counts', offset + summary.line - 1);
    checkSummary(report, summary, offset);
  }
  return report;
}

function checkSummary(report: Report, summary: Element, offset: number): void {
  const outcome = summary.attributes.outcome ?? '';
  const bad = report.counts.failed + report.counts.errored;
  if (/^(?:Aborted|Error|Timeout)$/.test(outcome)) report.crashed = true;
  else if (outcome === 'Failed' && bad === 0)
    fault(report, 'other', offset + summary.line - 1, 'the run failed but no test did');
}

function readResult(report: Report, result: Element, owners: Map<string, string>, offset: number): void {
  const name = result.attributes.testName ?? '';
  const owner = owners.get(result.attributes.testId ?? '') ?? '';
  const identity = owner === '' || name.startsWith(owner) ? name : `${owner}.${name}`;
  const at = offset + result.line - 1;
  switch (result.attributes.outcome) {
    case 'Passed':
    case 'PassedButRunAborted':
      book(report, 'passed', identity);
      return;
    case 'NotExecuted':
    case 'Inconclusive':
    case 'NotRunnable':
    case 'Pending':
      book(report, 'skipped', identity);
      return;
    case 'Failed': {
      const message = (descendants(result, 'Message')[0]?.text ?? '').trim();
      book(report, 'failed', identity);
      if (byAssertion(message)) report.assertions.push(identity);
      else fault(report, 'thrown', at, `${identity}: ${message}`);
      return;
    }
    default:
      book(report, 'errored', identity);
      fault(
        report,
        result.attributes.outcome === 'Timeout' ? 'timeout' : 'other',
        at,
        `${identity}: ${result.attributes.outcome}`,
      );
  }
}

/** Assertion libraries name themselves or compare; anything that begins with an exception's name was thrown. */
function byAssertion(message: string): boolean {
  const head = message.split('\n')[0] ?? '';
  if (
    /^(?:Xunit\.Sdk\.\w+|Assert\.\w+|Shouldly\.\w+|\w*Assert\w*Exception|NUnit\.Framework\.AssertionException)\b/.test(
      head.trim(),
    )
  )
    return true;
  if (
    /^(?:Test method .+ threw exception:|(?:Initialization|Cleanup) method |(?:[\w]+\.)*\w+Exception\b|One or more child tests had errors|OneTimeSetUp:)/.test(
      head.trim(),
    )
  )
    return false;
  return /^\s*(?:Expected|But was|Multiple failures|Assert|Did not expect)/.test(message) || /\bExpected\b/.test(head);
}
