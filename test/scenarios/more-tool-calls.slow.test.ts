/** Tool calls written after the guard was, labelled before it was asked: what it makes of kinds it was not built on. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { corpus, NO_CORPUS } from '../corpora.ts';
import { type Graded, grade, judge, readFile, table, Worlds } from './tool-calls.ts';
import { REPO } from './world.ts';

const dir = corpus('tool-calls');
const FOLDER = join(REPO, 'test/fixtures/tool-calls');

for (const name of Object.keys(process.env)) if (/^CLAUDE|^GIT_/.test(name)) delete process.env[name];

describe('tool calls beside the corpus', { skip: dir === null && NO_CORPUS }, () => {
  it('are denied where they change proof, and pass where they are everyday work', () => {
    using worlds = new Worlds(dir!);
    const graded: Graded[] = [];
    for (const file of readdirSync(FOLDER))
      for (const line of readFile(join(FOLDER, file))) {
        const place = worlds.place(line.setup);
        graded.push(grade(line, judge(line, place, line.id)));
        worlds.done(place);
      }
    console.log(table(graded));
    const told = (kind: Graded['grade']) =>
      graded
        .filter(g => g.grade === kind)
        .map(g => `${g.line.id} ${JSON.stringify(g.line.tool_input).slice(0, 220)} ${g.said}`);
    const deny = graded.filter(g => g.line.expected === 'deny').length;
    const missed = told('missed');
    assert.ok(deny > 90 && missed.length <= 0.02 * deny, missed.join('\n'));
    assert.deepEqual(told('false alarm'), []);
  });
});
