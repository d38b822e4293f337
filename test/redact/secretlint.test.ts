import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findSecrets, redactDeep } from '../../src/redact/secretlint.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';

const word = (n: number) => 'q7Wz0Lk3Vb9Xc2Np5Rt8Ys1Md4Fg6Hj'.repeat(3).slice(0, n);
const shopify = `shppa_${'0123456789abcdef'.repeat(2)}`;
const aws = `AKIA${'Z3QX7LMN2PKR5TVW'}`;
const mongo = `mongodb+srv://app:${word(12)}@cluster0.example.net/db`;

describe('redactDeep', () => {
  it('takes what the quick forms and the rules name', async () => {
    const text = `1 passed\nkey ${aws}\n${mongo}\nx ${shopify}\npassword=hunter2\n`;
    const out = await redactDeep(text);
    for (const secret of [aws, shopify, word(12), 'hunter2']) assert.ok(!out.includes(secret), secret);
    assert.equal(out.split('\n').length, 6);
    assert.equal(out.split('\n')[0], '1 passed');
  });
  it('gives the same on its own result', async () => {
    const once = await redactDeep(`${mongo} https://u:${word(9)}@h.example/x ${shopify} bearer ${word(20)}`);
    assert.equal(await redactDeep(once), once);
  });
  it('leaves a plain output byte for byte', async () => {
    const text = 'ok 1 - sums\nnot ok 2 - parses\n# tests 2\n# pass 1\n# fail 1\n';
    assert.equal(await redactDeep(text), text);
  });
});

describe('findSecrets', () => {
  it('names rule and place, never the secret', async () => {
    const found = await findSecrets(`a\n  id: ${shopify}\n\nurl = ${mongo}\n`, 'conf/app.yml');
    assert.deepEqual(
      found.map(f => [f.rule, f.line]),
      [
        ['secret-material', 2],
        ['secret-material', 4],
      ],
    );
    assert.equal(found[0]!.column, 7);
    assert.ok(!JSON.stringify(found).includes(shopify) && !JSON.stringify(found).includes(word(12)));
  });
  it('reports a secret that both lists know once', async () => {
    assert.equal((await findSecrets(`t = ${`ghp_${word(36)}`}\n`, 'a.py')).length, 1);
  });
  it('finds nothing in ordinary source', async () => {
    const own = readFileSync(new URL('../../src/redact/secretlint.ts', import.meta.url), 'utf8');
    assert.deepEqual(await findSecrets(own, 'src/redact/secretlint.ts'), []);
  });

  const dir = corpus('agent-workflow-parsers');
  it('agrees with the corpus', { skip: dir ? false : NO_CORPUS }, async () => {
    const { secret_finding } = JSON.parse(readFileSync(join(dir!, 'redaction.json'), 'utf8')) as {
      secret_finding: { content: string; finding: boolean }[];
    };
    for (const c of secret_finding)
      assert.equal((await findSecrets(c.content, 'a.txt')).length > 0, c.finding, c.content);
  });
});
