import { book, fault, program } from './book.ts';
import { isAssertion, kindOfError } from './js-failure.ts';
import { fromDots, fromSpec } from './node-spec.ts';
import { DOTS, IN_HOOK, isFile, settle, shortFile, type Totals, totals } from './node-totals.ts';
import { emptyReport, type Report, type Runner } from './report.ts';
import { type TapPoint, tapDocument, yamlValue } from './tap-lines.ts';

export const nodeTest: Runner = {
  name: 'node-test',
  recognise(output, argv) {
    const lines = output.split('\n');
    if (totals(lines).length > 0) return 90;
    if (/^# Subtest: /m.test(output) && /^\s*(?:not )?ok \d+ - /m.test(output)) return 60;
    const mine = program(argv) === 'node' && argv.some(word => word === '--test' || word.startsWith('--test-'));
    if (mine && /^TAP version 13$/m.test(output)) return 60;
    if (/^Failed tests:$/m.test(output) && /^✖ .+ \([\d.]+ms\)/m.test(output)) return 60;
    if (mine) return 40;
    if (/^\s*[✔✖▶﹣] .+ \([\d.]+ms\)(?: # .*)?$/m.test(output)) return 45;
    // The dot reporter prints nothing but dots when all is well.
    const filled = lines.filter(line => line.trim() !== '');
    return filled.length > 0 && filled.every(line => DOTS.test(line)) ? 30 : 0;
  },
  parse(output) {
    const lines = output.split('\n');
    const found = totals(lines);
    const last = found[found.length - 1];
    if (last === undefined && /^(?:TAP version \d+|# Subtest: .*)$/m.test(output)) return fromTap(lines, undefined);
    if (last === undefined) return fromDots(lines);
    return last.spec ? fromSpec(lines, last) : fromTap(lines, last);
  },
  opening: /^TAP version \d+$/,
  ends(lines) {
    return totals(lines).map(block => endOfDetails(lines, block));
  },
};

/** The spec reporter repeats the failures below its totals. */
function endOfDetails(lines: readonly string[], block: Totals): number {
  let at = block.end;
  const next = lines.findIndex((line, index) => index >= at && line.trim() !== '');
  if (!block.spec || next === -1 || !/^✖ failing tests:$/.test(lines[next] ?? '')) return at;
  at = next + 1;
  while (at < lines.length && /^(?:\s*$|\s|test at |✖ )/.test(lines[at] ?? '')) at++;
  return at;
}

function fromTap(lines: readonly string[], block: Totals | undefined): Report {
  const report = emptyReport('node-test');
  const document = tapDocument(lines);
  let files = 0;
  const parents = { passed: 0, failed: 0 };
  const visit = (point: TapPoint, path: string[]): void => {
    // The program's own TAP has no announcement of its name.
    if (point.announced !== point.name) return;
    const type = yamlValue(point.yaml, 'type');
    const failure = yamlValue(point.yaml, 'failureType');
    const names = isFile(point.name) && path.length === 0 && point.children.length > 0 ? [] : [...path, point.name];
    for (const child of point.children) visit(child, names);
    if (names.length === 0) return;
    const identity = names.join(' > ');
    if (type === 'suite' || point.children.length > 0) {
      // A test with sub-tests is in the runner's totals; here its sub-tests count.
      if (type !== 'suite' && (point.ok || failure === 'subtestsFailed'))
        point.ok ? parents.passed++ : parents.failed++;
      if (!point.ok && failure !== 'subtestsFailed') suiteFailure(report, point, identity, failure);
      return;
    }
    if (point.directive !== null) {
      book(report, point.directive === 'skip' ? 'skipped' : 'todo', identity);
      return;
    }
    if (point.ok) {
      if (path.length === 0 && isFile(point.name)) files++;
      else book(report, 'passed', identity);
      return;
    }
    failed(report, point, identity, failure, path.length === 0, lines);
  };
  for (const point of document.points) if (point.depth === 0) visit(point, []);
  if (block !== undefined) {
    settle(report, block, files + parents.passed, parents.failed);
    if (block.fail === 0 && block.cancelled === 0 && report.identities.failed.length > 0) {
      report.contradictions.push('a test is reported as failed but the totals say fail 0');
    }
  }
  return report;
}

/** A hook or the body of a suite that threw: an error of its own where no test below carries it. */
function suiteFailure(report: Report, point: TapPoint, identity: string, failure: string | undefined): void {
  const carried = report.identities.errored.some(name => name.startsWith(`${identity} > `));
  if (!carried) book(report, 'errored', identity);
  if (failure === 'hookFailed') hookFault(report, point, identity);
  else fault(report, 'thrown', point.index, `${identity}: ${yamlValue(point.yaml, 'error') ?? ''}`);
}

function hookFault(report: Report, point: TapPoint, identity: string): void {
  fault(report, 'hook', point.index, `${identity}: ${yamlValue(point.yaml, 'error') ?? 'hook failed'}`);
}

function failed(
  report: Report,
  point: TapPoint,
  identity: string,
  failure: string | undefined,
  top: boolean,
  lines: readonly string[],
): void {
  const why = yamlValue(point.yaml, 'error') ?? '';
  if (top && isFile(point.name) && point.children.length === 0) {
    book(report, 'errored', shortFile(point.name));
    const signal = yamlValue(point.yaml, 'signal');
    if (signal !== undefined && signal !== '~' && signal !== 'null') report.crashed = true;
    const context = lines.slice(Math.max(0, point.index - 40), point.index).join('\n');
    fault(report, kindOfError(context, 'startup'), point.index, `${point.name}: the file did not run to its end`);
    return;
  }
  if (failure === 'subtestsFailed') return;
  if (failure === 'testTimeoutFailure') {
    book(report, 'errored', identity);
    fault(report, 'timeout', point.index, `${identity}: ${why}`);
    return;
  }
  if (failure === 'hookFailed' || point.yaml.some(line => IN_HOOK.test(line))) {
    book(report, 'errored', identity);
    hookFault(report, point, identity);
    return;
  }
  if (failure === 'cancelledByParent' || failure === 'parentAlreadyFinished' || failure === 'testAborted') {
    book(report, 'errored', identity);
    fault(report, 'other', point.index, `${identity}: ${why}`);
    return;
  }
  book(report, 'failed', identity);
  const code = yamlValue(point.yaml, 'code');
  const name = yamlValue(point.yaml, 'name') ?? '';
  const byCode = failure === undefined || failure === 'testCodeFailure';
  if (byCode && (code === 'ERR_ASSERTION' || isAssertion(name) || /^(?:\w*Error: )?expect\(/.test(why))) {
    report.assertions.push(identity);
  } else fault(report, 'thrown', point.index, `${identity}: ${why}`);
}
