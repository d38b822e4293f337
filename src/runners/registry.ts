import { ava } from './ava.ts';
import { bats } from './bats.ts';
import { bun } from './bun.ts';
import { busted } from './busted.ts';
import { cargo } from './cargo.ts';
import { catch2 } from './catch2.ts';
import { check } from './check.ts';
import { cmocka } from './cmocka.ts';
import { criterion } from './criterion.ts';
import { ctest } from './ctest.ts';
import { cunit } from './cunit.ts';
import { deno } from './deno.ts';
import { doctestCpp } from './doctest-cpp.ts';
import { dotnet } from './dotnet.ts';
import { exunit } from './exunit.ts';
import { go } from './go.ts';
import { gradle } from './gradle.ts';
import { gtest } from './gtest.ts';
import { jasmine } from './jasmine.ts';
import { jest } from './jest.ts';
import { junit } from './junit.ts';
import { maven } from './maven.ts';
import { minitest } from './minitest.ts';
import { mocha } from './mocha.ts';
import { nextest } from './nextest.ts';
import { nodeTap } from './node-tap.ts';
import { nodeTest } from './node-test.ts';
import { nose2 } from './nose2.ts';
import { phpunit } from './phpunit.ts';
import { playwright } from './playwright.ts';
import { prove } from './prove.ts';
import { pytest } from './pytest.ts';
import { pythonDoctest } from './python-doctest.ts';
import { qunit } from './qunit.ts';
import type { Runner } from './report.ts';
import { rspec } from './rspec.ts';
import { shunit2 } from './shunit2.ts';
import { swift } from './swift.ts';
import { tap } from './tap.ts';
import { tape } from './tape.ts';
import { testUnit } from './test-unit.ts';
import { trx } from './trx.ts';
import { unittest } from './unittest.ts';
import { uvu } from './uvu.ts';
import { vitest } from './vitest.ts';

/** One import and one line per runner; on equal strength the earlier one reads the output. */
export const RUNNERS: readonly Runner[] = [
  // JavaScript, TAP and XML
  nodeTest,
  jest,
  vitest,
  mocha,
  ava,
  tape,
  qunit,
  jasmine,
  uvu,
  nodeTap,
  deno,
  bun,
  playwright,
  junit,
  trx,
  tap,
  // other languages
  pytest,
  unittest,
  nose2,
  pythonDoctest,
  go,
  cargo,
  nextest,
  dotnet,
  maven,
  gradle,
  rspec,
  minitest,
  testUnit,
  phpunit,
  prove,
  bats,
  ctest,
  gtest,
  cmocka,
  catch2,
  doctestCpp,
  check,
  cunit,
  criterion,
  busted,
  exunit,
  swift,
  shunit2,
];

export function runnerNamed(name: string): Runner | null {
  return RUNNERS.find(runner => runner.name === name) ?? null;
}
