import { book, fault, readAt } from './book.ts';
import { isAssertion } from './js-failure.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { child, type Element, readXml } from './xml.ts';

const START =
  /^[ \t]*(?:<\?xml [^>]*\?>\s*)?(?:<!DOCTYPE[^>]*(?:\[[^\]]*\])?>\s*)?(?:<!--[^>]*-->\s*)?<testsuites?[\s>]/m;

export const junit: Runner = {
  name: 'junit',
  recognise(output) {
    return START.test(output) ? 88 : 0;
  },
  parse(output) {
    return parseJunit(output);
  },
  closing: /<\/testsuites>\s*$|^<\/testsuite>\s*$/,
};

/** Dialects differ in what the class name holds; how tests are named follows from it. */
type Dialect = 'node' | 'pytest' | 'phpunit' | 'tree' | 'plain';

type Context = { report: Report; dialect: Dialect; offset: number };

/** JUnit's XML as pytest, surefire, Gradle, PHPUnit, mocha xunit, Playwright, vitest and many more write it. */
export function parseJunit(output: string): Report {
  const report = emptyReport('junit');
  const from = output.search(START);
  if (from === -1) return report;
  const offset = output.slice(0, from).split('\n').length - 1;
  const closing = Math.max(
    output.lastIndexOf('</testsuites>') + 13,
    output.lastIndexOf('</testsuite>') + 12,
    output.lastIndexOf('/>') + 2,
  );
  const xml = readXml(output.slice(from, Math.max(closing, from)));
  if ('problem' in xml) {
    fault(report, 'other', offset + xml.line - 1, `report file: ${xml.problem}`);
    return report;
  }
  const { root } = xml;
  const suites = root.name === 'testsuite' ? [root] : root.children.filter(element => element.name === 'testsuite');
  const node = xml.comments.some(comment => /^tests \d+$/.test(comment));
  const context: Context = { report, dialect: node ? 'node' : dialectOf(root, suites), offset };
  if (root.name === 'testsuites') visit(context, root, []);
  else visit(context, root, context.dialect === 'node' ? [root.attributes.name ?? ''] : []);
  suitesAmongTests(report, offset);
  report.complete = true;
  readAt(report, 'counts', offset);
  const seen = report.counts.failed + report.counts.errored;
  const said = suites.reduce((sum, suite) => sum + number(suite, 'failures') + number(suite, 'errors'), 0);
  if (said > seen) fault(report, 'other', offset, `${said} failures or errors are counted, ${seen} shown`);
  return report;
}

/** vitest books a failed suite as a test case of its name: others lie below it, so a hook failed and not a test. */
function suitesAmongTests(report: Report, offset: number): void {
  const all = [...report.identities.passed, ...report.identities.skipped, ...report.identities.failed];
  for (const name of [...report.identities.failed]) {
    if (!all.some(other => other.startsWith(`${name} > `))) continue;
    report.identities.failed.splice(report.identities.failed.indexOf(name), 1);
    report.assertions = report.assertions.filter(other => other !== name);
    report.counts.failed--;
    book(report, 'errored', name);
    fault(report, 'hook', offset, `${name}: a suite failed`);
  }
}

function number(element: Element, name: string): number {
  const value = Number(element.attributes[name] ?? 0);
  return Number.isFinite(value) ? value : 0;
}

function dialectOf(root: Element, suites: readonly Element[]): Dialect {
  const names = [root.attributes.name ?? '', ...suites.map(suite => suite.attributes.name ?? '')];
  if (names.some(name => /^pytest$/.test(name))) return 'pytest';
  if (names.some(name => /^(?:Mocha Tests|bun test)$/.test(name))) return 'tree';
  if (suites.some(suite => suite.attributes.assertions !== undefined)) return 'phpunit';
  return 'plain';
}

function visit(context: Context, element: Element, path: string[]): void {
  for (const inner of element.children) {
    if (inner.name === 'testsuite') {
      visit(context, inner, context.dialect === 'node' ? [...path, inner.attributes.name ?? ''] : path);
    } else if (inner.name === 'testcase') testcase(context, inner, path);
    else if (inner.name === 'error' || inner.name === 'failure') {
      book(context.report, 'errored', element.attributes.name ?? '');
      fault(context.report, 'other', context.offset + inner.line - 1, inner.attributes.message ?? inner.text);
    }
  }
}

const FILE = /\.[cm]?[jt]sx?$/;

function identityOf(dialect: Dialect, element: Element, path: readonly string[]): string {
  const name = element.attributes.name ?? '';
  const owner = element.attributes.classname ?? element.attributes.class ?? '';
  if (dialect === 'node') return [...path, name].join(' > ');
  if (dialect === 'phpunit') return owner === '' ? name : `${element.attributes.class ?? owner}::${name}`;
  if (dialect === 'tree') return owner === '' ? name : `${owner} > ${name}`;
  if (dialect === 'pytest') return pytestId(owner, name);
  const plain =
    owner === '' ||
    owner === name ||
    FILE.test(owner) ||
    /[\s/]/.test(owner + name) ||
    name.startsWith(owner) ||
    name.includes('::');
  return plain ? name : `${owner}.${name}`;
}

/** `tests.test_math.TestSums` + `test_add` -> `tests/test_math.py::TestSums::test_add`. */
function pytestId(owner: string, name: string): string {
  if (owner === '') return name;
  const parts = owner.split('.');
  const firstClass = parts.findIndex(part => /^[A-Z]/.test(part));
  const modules = firstClass === -1 ? parts : parts.slice(0, firstClass);
  const classes = firstClass === -1 ? [] : parts.slice(firstClass);
  return [`${modules.join('/')}.py`, ...classes, name].join('::');
}

function testcase({ report, dialect, offset }: Context, element: Element, path: readonly string[]): void {
  const identity = identityOf(dialect, element, path);
  const at = offset + element.line - 1;
  const error = child(element, 'error');
  const failure = child(element, 'failure');
  const skipped = child(element, 'skipped');
  if (error !== undefined) {
    book(report, 'errored', identity);
    fault(report, 'thrown', at, `${identity}: ${error.attributes.message ?? error.attributes.type ?? error.text}`);
  } else if (failure !== undefined)
    failed(report, failure, identity, at, dialect === 'node' && path.length === 0 && FILE.test(identity));
  else if (skipped !== undefined) {
    const expected = /xfail/.test(skipped.attributes.type ?? '') || skipped.attributes.type === 'todo';
    book(report, expected ? 'todo' : 'skipped', identity);
  } else if (!/^(?:skipped|disabled|notrun)$/i.test(element.attributes.status ?? element.attributes.result ?? '')) {
    // node:test books a file without tests under the file's name.
    if (!(dialect === 'node' && path.length === 0 && FILE.test(identity))) book(report, 'passed', identity);
  } else book(report, 'skipped', identity);
}

const NO_BODY = /hookFailed|cancelledByParent|testTimeoutFailure|testAborted|uncaughtException/;
const ASSERTS = /Assert|ExpectationFailed|ComparisonFailure|ExpectationNotMet|^expect\./;
const EXCEPTION = /^(?:Uncaught )?(?:[\w$]+[.:\\]+)*[\w$]*(?:Error|Exception|Failure|Throwable)\b/;

const NAMED_ERROR = /^\w*Error(?: \[\w+\])?: /;

function failed(report: Report, failure: Element, identity: string, at: number, file: boolean): void {
  const type = failure.attributes.type ?? '';
  const message = (failure.attributes.message ?? '').trim();
  const text = failure.text.trim();
  const hook = /"(?:before|after) (?:all|each)" hook/.test(identity) || /^Unhandled (?:Error|Rejection)/.test(type);
  if (hook) {
    book(report, 'errored', identity);
    fault(report, 'hook', at, `${identity}: ${message || text.split('\n')[0]}`);
    return;
  }
  if (file || NO_BODY.test(type)) {
    book(report, 'errored', file ? (identity.split(/[\\/]/).pop() ?? identity) : identity);
    fault(report, /Timeout/.test(type) ? 'timeout' : file ? 'startup' : 'hook', at, `${identity}: ${message}`);
    return;
  }
  book(report, 'failed', identity);
  const cause = /\bcause: (?:\[?)('?[\w$]+(?: \[\w+\])?)/.exec(text)?.[1];
  const head = cause ?? (message !== '' ? message : (text.split('\n')[0] ?? ''));
  if (byAssertion(type, head, text, cause !== undefined)) report.assertions.push(identity);
  else fault(report, 'thrown', at, `${identity}: ${type} ${head}`.trim());
}

function byAssertion(type: string, head: string, text: string, caused: boolean): boolean {
  if (isAssertion(head) || ASSERTS.test(head.split(/[\s:]/)[0] ?? '')) return true;
  if (caused) return false;
  if (ASSERTS.test(type)) return true;
  const named = text
    .split('\n')
    .slice(0, 12)
    .find(line => NAMED_ERROR.test(line.trim()));
  if (named !== undefined && type === '') return isAssertion(named);
  if (EXCEPTION.test(type) || EXCEPTION.test(head) || /^panic:/m.test(text)) return false;
  return true;
}
