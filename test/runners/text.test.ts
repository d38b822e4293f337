import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReport } from '../../src/checks/parse-report.ts';
import { safePattern } from '../../src/runners/generic.ts';
import { parseJunit } from '../../src/runners/junit.ts';
import { streams } from '../../src/runners/streams.ts';
import { decode, plain, plainLines } from '../../src/runners/text.ts';

test('escapes, redrawn lines, NULs and bad bytes leave plain lines', () => {
  assert.equal(plain('\u001b[31m3 failed\u001b[0m\r\n'), '3 failed\n');
  assert.equal(plain('\u001b]0;title\u0007ok \u001b[1;31mx'), 'ok x');
  assert.equal(plain('10%\r50%\r100%\r\ndone'), '100%\ndone');
  assert.equal(plain('old\u001b[2Knew'), 'new');
  assert.equal(plain('a\u0000b'), 'ab');
  assert.deepEqual(plainLines('a\r\r\nb'), ['a', 'b']);
  assert.equal(decode(Uint8Array.of(0x6f, 0x6b, 0xe2, 0x9c)), 'ok\uFFFD');
});

test('prefixed lines fall apart into their programs', () => {
  const found = streams([
    '[a] one',
    '[b] two',
    '[a] three',
    '[a] node a.js exited with code 0',
    '[b] node b.js exited with code 0',
  ]);
  assert.deepEqual(
    found.slice(1).map(stream => [stream.name, stream.lines.length, stream.origin[0]]),
    [
      ['a', 3, 0],
      ['b', 2, 1],
    ],
  );
  const maven = ['[INFO] Scanning', '[INFO] Tests run: 1', '[ERROR] x', '[INFO] BUILD'];
  assert.equal(streams(maven).length, 1);
});

test('a document type in a report is refused', () => {
  const bomb =
    '<?xml version="1.0"?>\n<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<testsuites><testsuite name="x"><testcase name="&b;"/></testsuite></testsuites>';
  const report = parseJunit(bomb);
  assert.equal(report.complete, false);
  assert.match(report.setupErrors[0]?.text ?? '', /DTD/);
  assert.equal(parseReport(bomb, { exit: 0 }).verdict, 'FAIL');
});

test('junk has a class and never passes', () => {
  const junk = [
    '',
    '\u0000\u0001\u0002'.repeat(1000),
    '\r\r\r\r',
    'PASS',
    'ok',
    '12 passed',
    'All tests passed!',
    '\uFFFD\uFFFD',
    '<testsuites',
    '1..0',
  ];
  for (const text of junk) {
    const got = parseReport(text, { exit: 0 });
    assert.equal(got.verdict, 'FAIL', JSON.stringify(text.slice(0, 20)));
    assert.equal(got.green, false);
  }
});

test('what is over the output limit is no evidence', () => {
  const long = `${'x'.repeat(99)}\n`.repeat(170_000);
  const got = parseReport(`${long}1..1\nok 1 - a\n`, { exit: 0 });
  assert.equal(got.class, 'output-limit');
  assert.equal(got.verdict, 'FAIL');
});

test('one failing section fails the whole', () => {
  const block = (passed: number, failed: number): string =>
    `Test Suites: ${failed > 0 ? '1 failed' : '1 passed'}, 1 total\nTests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total\nSnapshots:   0 total\nTime:        1 s\nRan all test suites.\n`;
  const banner = (name: string): string => `\n> ${name}@1.0.0 test\n> jest\n\n`;
  const got = parseReport(`${banner('a')}${block(2, 1)}${banner('b')}${block(3, 0)}`, { exit: 0 });
  assert.equal(got.verdict, 'FAIL');
  assert.equal(got.passed, 5);
  assert.equal(got.failed + got.errored, 1);
  assert.equal(parseReport(`${banner('a')}${block(2, 0)}${banner('b')}${block(3, 0)}`, { exit: 0 }).verdict, 'PASS');
});

test('generic speaks by its patterns, which must be safe', () => {
  const options = {
    runner: 'generic',
    successPattern: '^checked: 3$',
    failurePattern: '^wrong: ',
    identities: ['sum'],
  };
  assert.equal(parseReport('sum\nchecked: 3', { ...options, exit: 0 }).verdict, 'PASS');
  assert.equal(parseReport('sum\nwrong: 4', { ...options, exit: 1, phase: 'red' }).red, true);
  assert.equal(parseReport('nothing', { ...options, exit: 0 }).verdict, 'FAIL');
  assert.ok('problem' in safePattern('(a+)+$'));
  assert.ok('problem' in safePattern('('));
  assert.ok('pattern' in safePattern('^[0-9]+ rows$'));
});
