import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readClaims } from '../../src/runs/claims/index.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';

type Line = { id: string; message: string; asserts: boolean; debatable?: boolean };

const own = join(dirname(dirname(fileURLToPath(import.meta.url))), 'fixtures', 'claims', 'own.jsonl');

function lines(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(text => JSON.parse(text) as Line);
}

function measure(all: Line[]) {
  const wrong: string[] = [];
  let hit = 0;
  let claimed = 0;
  let held = 0;
  for (const { id, message, asserts, debatable } of all) {
    if (debatable) continue;
    const read = readClaims(message).asserts;
    if (read) claimed++;
    if (asserts) held++;
    if (read && asserts) hit++;
    if (read !== asserts) wrong.push(id);
  }
  return { precision: hit / claimed, recall: hit / held, wrong };
}

describe('claims, over whole sets of final messages', () => {
  const folder = corpus('claims');
  it('the shared corpus: precision 98 %, recall 92 %', { skip: folder ? false : NO_CORPUS }, () => {
    const all = lines(join(folder!, 'public.jsonl'));
    assert.ok(all.length > 500);
    const { precision, recall, wrong } = measure(all);
    assert.ok(precision >= 0.98, `precision ${precision}: ${wrong}`);
    assert.ok(recall >= 0.92, `recall ${recall}: ${wrong}`);
  });

  it('our own set: precision 98 %, recall 95 %', () => {
    const all = lines(own);
    assert.ok(all.length > 600);
    const { precision, recall, wrong } = measure(all);
    assert.ok(precision >= 0.98, `precision ${precision}: ${wrong}`);
    assert.ok(recall >= 0.95, `recall ${recall}: ${wrong}`);
  });

  it('every claim is an exact part of its message', () => {
    for (const { id, message } of lines(own))
      for (const { text, start } of readClaims(message).claims) {
        assert.equal(message.slice(start, start + text.length), text, id);
        assert.equal(text, text.trim(), id);
        assert.notEqual(text, '', id);
      }
  });
});
