/** A saved output is redacted: what the runner said must read the same afterwards. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { redact } from '../../src/redact/redact.ts';
import { read } from '../../src/runners/read.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';

const SECRETS = [
  'debug: password=hunter2 user=me',
  'Authorization: Bearer s3cr3t.value',
  'connecting to postgres://me:p4ssw0rd@db.example/app',
];
const MARK = /debug:|Authorization:|connecting/;

describe('recorded runner outputs with secrets logged between their lines', () => {
  const dir = corpus('runner-outputs');
  it('give the same counts and names after redaction', { skip: dir ? false : NO_CORPUS }, () => {
    let outputs = 0;
    for (const name of readdirSync(dir!).filter(n => n.endsWith('.txt'))) {
      const lines = readFileSync(join(dir!, name), 'utf8').split('\n');
      if (lines.length > 2000) continue;
      const logged = lines.flatMap((line, i) => (i % 7 === 3 ? [SECRETS[i % 3]!, line] : [line])).join('\n');
      const saved = redact(logged);
      if (lines.length > 3) assert.notEqual(saved, logged, name);
      const [before, after] = [read(logged).report, read(saved).report];
      for (const key of ['runner', 'counts', 'complete', 'crashed'] as const) {
        assert.deepEqual(after[key], before[key], `${name}: ${key}`);
      }
      for (const outcome of ['passed', 'failed', 'errored', 'skipped', 'todo'] as const) {
        // A logged line that a reporter's headings make part of a name changes with its secret; no other name may.
        const names = before.identities[outcome].map(n => (MARK.test(n) ? null : n));
        assert.deepEqual(
          after.identities[outcome].map(n => (MARK.test(n) ? null : n)),
          names,
          `${name}: ${outcome}`,
        );
      }
      outputs++;
    }
    assert.ok(outputs > 300, `${outputs} outputs`);
  });
});
