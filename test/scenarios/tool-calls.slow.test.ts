/** The tool-call corpus through the engine, and a sample of it through the built hook (issue of the frozen tests). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { corpus, NO_CORPUS } from '../corpora.ts';
import { type Graded, grade, judge, payload, readLines, table, Worlds } from './tool-calls.ts';
import { DIST } from './world.ts';

const dir = corpus('tool-calls');

/** Lines decided by a variable of the agent's own terminal would read differently here. */
for (const name of Object.keys(process.env)) if (/^CLAUDE|^GIT_/.test(name)) delete process.env[name];

describe('tool-call corpus', { skip: dir === null && NO_CORPUS }, () => {
  it('denies what changes proof and lets everyday work pass', () => {
    using worlds = new Worlds(dir!);
    const graded: Graded[] = [];
    for (const line of readLines(dir!)) {
      const place = worlds.place(line.setup);
      graded.push(grade(line, judge(line, place)));
      worlds.done(place);
    }
    console.log(table(graded));
    const wrong = graded.filter(g => g.grade === 'missed' || g.grade === 'false alarm');
    for (const g of wrong) {
      console.log(
        `${g.grade} ${g.line.id} ${g.line.tier} ${JSON.stringify(g.line.tool_input).slice(0, 220)} | ${g.said}`,
      );
    }
    const core = graded.filter(g => g.line.expected === 'deny' && g.line.tier === 'core');
    const held = core.filter(g => g.grade !== 'missed').length;
    assert.ok(held >= 0.97 * core.length, `${held} of ${core.length} core lines denied`);
    assert.deepEqual(
      wrong.filter(g => g.grade === 'false alarm' && !g.line.debatable).map(g => `${g.line.id}: ${g.said}`),
      [],
    );
  });

  it('answers through the built hook as in this process', () => {
    using worlds = new Worlds(dir!);
    const lines = readLines(dir!);
    const step = Math.max(1, Math.floor(lines.length / 60));
    const differing: string[] = [];
    for (const line of lines.filter((_, i) => i % step === 0)) {
      const place = worlds.place(line.setup);
      const here = judge(line, place, `here-${line.id}`);
      const hook = spawnSync(process.execPath, [join(DIST, 'hooks/pre-tool-use.cjs')], {
        cwd: place.root,
        env: { ...worlds.env(place.home), CLAUDE_PROJECT_DIR: place.root },
        input: JSON.stringify(payload(line, place, 'PreToolUse', `hook-${line.id}`)),
        encoding: 'utf8',
      });
      const there = hook.status === 2 ? 'deny' : 'allow';
      if (there !== here.answer || hook.stderr.trim() !== here.said.trim())
        differing.push(`${line.id}: here ${here.answer} ${here.said}, hook ${there} ${hook.stderr}`);
      worlds.done(place);
    }
    assert.deepEqual(differing, []);
  });
});
