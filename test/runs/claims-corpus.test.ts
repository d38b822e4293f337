import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readClaims } from '../../src/runs/claims/index.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';

type Line = { id: string; message: string; asserts: boolean; language: string; debatable?: boolean };

const fixtures = join(dirname(dirname(fileURLToPath(import.meta.url))), 'fixtures', 'claims');
const own = join(fixtures, 'own.jsonl');
/**
 * Forty-one batches, each labelled before the reader saw it and read once before anything was changed for it. That first
 * look is the honest figure; the reader was fitted to their kinds afterwards, so the bar below only guards what was
 * reached.
 *
 *   batch       1     2     3     4     5     6     7     8     9    10    11    12    13    14    15
 *   messages  119   158   192   182   224   212   145   178   185   119    63   145   127   113   107
 *   precision  93.0  85.2  83.6  91.5  87.2  70.4 100.0  97.2  86.2  95.2 100.0 100.0  98.0 100.0  95.5
 *   recall     94.6  81.3  85.9  81.8  78.2  80.3  75.0  85.2  81.2  83.3  93.9  86.5  80.6  84.7  75.0
 *
 *   batch       16    17    18    19    20    21    22    23    24    25    26    27    28    29
 *   messages   138   140   111   162   172   135   130   139   136   128   105   116    97    74
 *   precision  98.3  96.9  98.4  95.7  96.0 100.0  98.1  96.1 100.0  98.2  98.1  96.4  97.8  91.4
 *   recall     88.1  87.5  76.3  77.9  78.3  72.2  72.2  87.1  81.3  82.4  87.9  85.7  83.0  80.0
 *
 *   batch       30    31    32    33    34    35    36    37    38    39    40    41
 *   messages   351   232   155    77   144   296   177   200   124   173   148   104
 *   precision  97.3  98.8  96.3  94.3  95.5  86.6  93.5 100.0  91.3  88.6  97.0  86.0
 *   recall     93.8  77.6  95.1  68.8  86.5  81.6  81.8  97.7  67.7  78.5  94.2  90.2
 *
 * Traps are far denser here than in life (6: two traps to each claim; 7: the other languages alone; 11: plain
 * ones, after which nothing was changed; 12 to 15: the mix of languages and kinds of the shared corpus; 16 to 29:
 * its mix too, in wordings that no batch before had used; 30: what may stand between the public lines of that
 * corpus, number by number; 31: the same in rarer wordings; 32: the other languages; 33: long messages and told
 * trials; 34: the mix again; 35: two traps to each claim; 36: the mix; 37: plain ones in all languages; 38 and 39:
 * rare wordings; 40: plain ones; 41: traps again). After the first look, one label each of batches 4, 28, 30 and 38 was corrected,
 * and one message of batch 6, one of 17, two of 20, two of 33, two of 34, five of 35, one of 36, two each of 38,
 * 39 and 41 were set aside as debatable.
 */
const fresh = join(fixtures, 'fresh.jsonl');

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

  it('the batches: precision 97 %, recall 88 %, in each of them', () => {
    const all = lines(fresh);
    assert.ok(all.length > 1500);
    const groups = new Map([
      ['all', all],
      ['not English', all.filter(line => line.language !== 'en')],
    ]);
    for (const line of all) groups.set(line.id.split('-')[0]!, [...(groups.get(line.id.split('-')[0]!) ?? []), line]);
    assert.equal(groups.size, 43);
    for (const [name, group] of groups) {
      const { precision, recall, wrong } = measure(group);
      assert.ok(precision >= 0.97, `${name}: precision ${precision}: ${wrong}`);
      assert.ok(recall >= 0.88, `${name}: recall ${recall}: ${wrong}`);
    }
  });

  it('every claim is an exact part of its message', () => {
    for (const { id, message } of [...lines(own), ...lines(fresh)])
      for (const { text, start } of readClaims(message).claims) {
        assert.equal(message.slice(start, start + text.length), text, id);
        assert.equal(text, text.trim(), id);
        assert.notEqual(text, '', id);
      }
  });
});
