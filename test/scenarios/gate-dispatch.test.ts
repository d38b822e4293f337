/** A step that the client dispatches begins a new attempt: what its marker said before no longer counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evalGate, floors, gated, mark, session } from './gates-world.ts';
import type { World } from './world.ts';

const prompt = (w: World, text: string, more: object = {}) =>
  w.hook('user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: text, ...more });

const satisfied = (w: World) => evalGate(w, 'review').verdict.satisfied;

/** A marker as an earlier attempt of this session left it. */
function passed(w: World): void {
  mark(w, 'review', Date.now() - 5_000);
}

test('a typed command, a skill and a subagent start the attempt of the step they are named for', () => {
  using w = gated({ review: { marker: true, dispatch: 'code-reviewer' }, ship: { marker: true } });
  session(w);
  for (const [what, dispatch] of [
    ['a command', () => prompt(w, '/review src --deep')],
    ["a plugin's command", () => prompt(w, ' /team:review\n')],
    ['a machine-made turn', () => prompt(w, '/review', { source: 'cron' })],
    ['a skill', () => w.pre('Skill', { skill: 'review', args: 'src' })],
    ["a plugin's skill", () => w.pre('Skill', { skill: 'team:Review' })],
    ['a subagent', () => w.pre('Agent', { subagent_type: 'code-reviewer', description: 'd', prompt: 'p' })],
    ['a subagent, by the older name', () => w.pre('Task', { subagent_type: 'review', prompt: 'p' })],
  ] as const) {
    passed(w);
    const before = Date.now();
    assert.equal(dispatch().code, 0, what);
    const { attempts } = floors(w);
    assert.ok(attempts.review! >= before && attempts.review! <= Date.now(), what);
    assert.equal(attempts.ship, undefined);
    assert.equal(satisfied(w), false, what);
  }
  mark(w, 'review');
  assert.equal(satisfied(w), true);
});

test('what names no step, or only speaks of one, starts nothing', () => {
  using w = gated({ review: { marker: true } });
  session(w);
  for (const text of [
    'please run /review',
    'review this',
    '/reviewer',
    '/review/notes.md is wrong',
    '/touchstone thaw',
  ])
    assert.equal(prompt(w, text).code, 0, text);
  assert.equal(w.pre('Agent', { subagent_type: 'general-purpose', prompt: 'review' }).code, 0);
  assert.equal(w.pre('Skill', { skill: 'code-review' }).code, 0);
  assert.equal(w.pre('Agent', {}).code, 0);
  assert.deepEqual(floors(w).attempts, {});
});
