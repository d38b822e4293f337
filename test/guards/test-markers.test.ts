import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gainedBend, gainedMark } from '../../src/guards/test-markers.ts';

const added: [string, string, string][] = [
  ['a.test.ts', "it.skip('x', () => {});", 'skip'],
  ['a.test.ts', "describe.concurrent.skip('x', () => {});", 'skip'],
  ['a.spec.js', "xit('x', () => {});", 'skip'],
  ['a.test.js', "test('x', { skip: true }, () => {});", 'skip'],
  ['a.test.js', "test('x', { skip: 'later' }, () => {});", 'skip'],
  ['a.test.js', "test('x', t => { t.skip('later'); });", 'skip'],
  ['a.test.ts', "test.skipIf(process.env.CI)('x', () => {});", 'skip'],
  ['a.test.ts', "test.only('x', () => {});", 'only'],
  ['a.spec.ts', "fdescribe('x', () => {});", 'only'],
  ['a.test.ts', "test.todo('x');", 'todo'],
  ['test_a.py', "@pytest.mark.skip(reason='x')\ndef test_a(): ...", 'skip'],
  ['test_a.py', "@pytest.mark.skipif(True, reason='x')\ndef test_a(): ...", 'skip'],
  ['test_a.py', '@unittest.skip("x")\ndef test_a(self): ...', 'skip'],
  ['test_a.py', '@pytest.mark.xfail\ndef test_a(): ...', 'xfail'],
  ['test_a.py', "def test_a(self):\n    self.skipTest('x')", 'skip'],
  ['ATest.java', '@Disabled\n@Test void a() {}', 'skip'],
  ['ATest.kt', '@Ignore\n@Test fun a() {}', 'skip'],
  ['a_test.go', 'func TestA(t *testing.T) { t.Skip("x") }', 'skip'],
  ['a_test.rs', '#[test]\n#[ignore]\nfn a() {}', 'skip'],
  ['ATests.cs', '[Fact(Skip = "x")] public void A() {}', 'skip'],
  ['a_spec.rb', "xit 'x' do\nend", 'skip'],
  ['a_spec.rb', "it 'x', focus: true do\nend", 'only'],
  ['ATest.php', '$this->markTestSkipped("x");', 'skip'],
  ['a_test.exs', '@tag :skip\ntest "x" do end', 'skip'],
];

const kept: [string, string][] = [
  ['a.test.ts', "it('skips blanks', () => { expect(rows({ skip: 10 })).toEqual([]); });"],
  ['a.test.ts', '// it.skip was here\nit("x", () => {});'],
  ['a.test.ts', "const list = [{ todo: 'buy milk' }];"],
  ['a.test.ts', "profit(3); outfit('x');"],
  ['test_a.py', '# @pytest.mark.skip\ndef test_skip(): assert skip(3) == 3'],
  ['a_test.go', 'func TestSkip(t *testing.T) { list.Skip(3) }'],
  ['a_spec.rb', "it 'skips' do\n  expect(list.skip(1)).to eq []\nend"],
  ['notes.txt', 'it.skip( @Disabled t.Skip('],
];

describe('marks that a test file gains', () => {
  for (const [name, text, kind] of added) it(`${name}: ${text}`, () => assert.equal(gainedMark(name, '', text), kind));
  for (const [name, text] of kept) it(`none in ${name}: ${text}`, () => assert.equal(gainedMark(name, '', text), null));

  it('one that was there is not gained, and taking it off is free', () => {
    const skipped = "it.skip('x', () => {});\n";
    assert.equal(gainedMark('a.test.ts', skipped, `${skipped}it('y', () => {});\n`), null);
    assert.equal(gainedMark('a.test.ts', skipped, "it('x', () => {});\n"), null);
    assert.equal(gainedMark('a.test.ts', skipped, skipped + skipped), 'skip');
  });
});

describe('code that bends what tests say', () => {
  const bent: [string, string, string][] = [
    ['conftest.py', 'def pytest_collection_modifyitems(items):\n    items.clear()', 'collection hook'],
    ['conftest.py', 'collect_ignore = ["tests"]', 'collection hook'],
    ['conftest.py', 'def pytest_runtest_makereport(item, call): ...', 'result hook'],
    ['conftest.py', 'import os\nos._exit(0)', 'forced exit'],
    ['jest.setup.js', 'process.exit(0);', 'forced exit'],
    ['jest.setup.js', 'process.exitCode = 0;', 'forced exit'],
    ['setup.ts', 'globalThis.expect = () => proxy;', 'patched assertion'],
    ['setup.ts', 'assert.strictEqual = () => {};', 'patched assertion'],
  ];
  for (const [name, text, kind] of bent)
    it(`${name}: ${text}`, () => assert.equal(gainedBend(name, null, text, true), kind));

  const honest: [string, string, boolean][] = [
    ['conftest.py', 'import pytest\n@pytest.fixture\ndef base(): return 2', true],
    ['jest.setup.js', "import '@testing-library/jest-dom';\nconst assert = require('assert');", true],
    ['setup.ts', 'expect.extend({ toBeOdd: n => ({ pass: n % 2 === 1 }) });', true],
    ['setup.ts', 'const expectOk = (x) => expect(x).toBe(true);', true],
    ['cli.test.ts', 'process.exit = code => codes.push(code);', false],
  ];
  for (const [name, text, setup] of honest)
    it(`not ${name}: ${text}`, () => assert.equal(gainedBend(name, null, text, setup), null));

  it('a patched assertion counts in a test file too', () =>
    assert.equal(gainedBend('a.test.ts', null, 'assert.equal = () => {};', false), 'patched assertion'));
});
