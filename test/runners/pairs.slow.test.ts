import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseReport } from '../../src/checks/parse-report.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';

const folder = corpus('runner-outputs');
const skip = folder === null ? NO_CORPUS : false;
const GREEN =
  'pytest unittest go cargo maven rspec minitest prove ctest gtest catch2 check cmocka criterion busted jest';
const RED =
  'pytest unittest nose2 go maven minitest test-unit phpunit prove bats gtest ctest doctest-cpp cunit busted cargo';

function outputs(names: string, kinds: string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of names.split(' ')) {
    for (const kind of kinds) {
      const file = join(folder ?? '', `${name}--${kind}.txt`);
      if (existsSync(file) && !found.has(name)) found.set(name, readFileSync(file, 'utf8'));
    }
  }
  return found;
}

test('two runners in one output: the sum is read and one failing run fails the whole', { skip }, () => {
  const green = outputs(GREEN, ['all-pass']);
  const red = outputs(RED, ['one-fail', 'one-fail-color', 'bad-plan', 'two-binaries-first-fails', 'provider']);
  const wrong: string[] = [];
  let pairs = 0;
  for (const [good, passing] of green) {
    const alone = parseReport(passing, { exit: 0 });
    for (const [bad, failing] of red) {
      if (good === bad) continue;
      const other = parseReport(failing, { exit: 1 });
      for (const whole of [passing + failing, failing + passing]) {
        pairs++;
        const got = parseReport(whole, { exit: 0 });
        if (got.verdict === 'PASS') wrong.push(`${good} and ${bad}: PASS`);
        if (got.passed !== alone.passed + other.passed || got.failed !== other.failed) {
          wrong.push(`${good} and ${bad}: ${got.passed} passed, ${got.failed} failed`);
        }
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(pairs > 300, `${pairs} pairs`);
});
