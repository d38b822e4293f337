import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readContract } from '../../src/checks/contract.ts';
import { withDefaults } from '../../src/config/project.ts';
import { isProduct, programs } from '../../src/delivery/ci-programs.ts';

describe('scripts that the commands of a project run', () => {
  let root = '';
  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-programs-')));
    const files = {
      'package.json': '{"scripts":{"test":"sh suite.sh && node --test test/a.test.js"}}',
      'suite.sh': './inner.sh\n',
      'inner.sh': 'true\n',
      'sub/check.py': '\n',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const found = (cmd: string, checks: object[] = []): Record<string, string> => {
    const raw = { test: { cmd }, checks };
    return Object.fromEntries(programs(root, withDefaults(raw), readContract(raw).checks));
  };

  it('are followed through npm and from script to script; test files are not among them', () => {
    assert.deepEqual(found('npm test'), { 'suite.sh': 'the suite', 'inner.sh': 'the suite' });
    assert.deepEqual(found('node --test'), {});
    assert.deepEqual(found('pytest tests/test_a.py'), {});
    assert.deepEqual(found('grep -c two src/lib.js'), {});
  });

  it('count from the folder of their check', () => {
    const check = { id: 'c', command: ['python3', 'check.py'], cwd: 'sub', runner: 'tap' };
    assert.deepEqual(found('', [check]), { 'sub/check.py': 'check c' });
  });

  it('may be the program that the work is about', () => {
    for (const path of ['src/cli.js', 'lib/run.py', 'bin/tool', 'packages/a/src/x.ts', 'main.py', 'manage.py'])
      assert.equal(isProduct(path), true, path);
    for (const path of [
      'suite.sh',
      'scripts/check.js',
      'test/run.ts',
      'src/verify.sh',
      'bin/test.bash',
      'test/lib/run.js',
      'tools/main-check.py',
    ])
      assert.equal(isProduct(path), false, path);
  });
});
