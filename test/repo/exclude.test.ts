import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAIM_PATHS } from '../../src/config/project.ts';
import { exclusion } from '../../src/repo/exclude.ts';

const NAMES: [string, boolean][] = [
  ['.claude/state/x', true],
  ['docs/verification/report.md', true],
  ['docs/verification/run.log', true],
  ['docs/verify/data.json', true],
  ['docs/verify/page.html', true],
  ['.claude/reports/a.txt', true],
  ['out/Verify.txt', true],
  ['notes/verification.adoc', true],
  ['src/verify.ts', false],
  ['docs/verify/gen.py', false],
  ['test/verify-cases.json', false],
  ['docs/guide.md', false],
  ['package.json', false],
];

test('documents in the claim globs are left out, code and fixtures are not', () => {
  const out = exclusion(CLAIM_PATHS, '');
  for (const [path, want] of NAMES) assert.equal(out.excludes(path), want, path);
});

test('relative to a project below the top of the repository', () => {
  const out = exclusion(CLAIM_PATHS, 'app/');
  assert.equal(out.excludes('app/docs/verify/a.md'), true);
  assert.equal(out.excludes('docs/verify/a.md'), false);
});

test('the cheap look never misses what would be left out', () => {
  const out = exclusion(['**'], '');
  for (const ext of [
    'md',
    'markdown',
    'mdx',
    'txt',
    'text',
    'rst',
    'adoc',
    'asciidoc',
    'org',
    'log',
    'ipynb',
    'html',
    'htm',
    'json',
    'yaml',
    'yml',
    'xml',
    'csv',
    'pdf',
    'PDF',
    'ts',
    'py',
  ]) {
    const bytes = Buffer.from(`dir/name.${ext}`);
    if (out.excludes(bytes.toString())) assert.ok(out.maybe(bytes, 0, bytes.length), ext);
  }
});
