import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readCommand } from '../../src/shell/index.ts';
import { readPlain } from '../../src/shell/plain.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';
import { openWorld } from './corpus-world.ts';
import { FROZEN, GUARDED, judge, protectedFiles } from './protected.ts';

const folder = corpus('tool-calls');
const MINE = /^(?:bash-|formatter-|git-tricks|state-forgery|hook-disable|benign-|runner-masking|opaque)/;

/** Answered by other guards: hard links and folded case by the path comparison, agent flags and .npmrc by their own rules. */
const ELSEWHERE = (command: string): boolean =>
  /src\/hard\.txt|TESTS\/Calc|^claude |\.npmrc|script-shell/.test(command);

describe('the corpus of tool calls', { skip: folder ? false : NO_CORPUS }, () => {
  const globs = [...FROZEN, ...GUARDED];
  const world = openWorld(folder!);
  after(() => world.close());
  const lines = world.cases.filter(one => one.tool_name === 'Bash' && MINE.test(one.category) && one.tier === 'core');
  const seen = lines.map(one => {
    const at = world.open(one);
    const reading = readCommand(at.command, { ...at, env: { ...process.env, HOME: at.home } });
    const plain = readPlain(at.command, at);
    const files = protectedFiles(at.root, globs);
    return { one, ...judge(reading, at.root, globs, files), plain };
  });
  const show = (list: typeof seen): string =>
    list.map(({ one, named }) => `${one.id} ${one.tool_input.command} ${named.join('; ')}`).join('\n');

  it('has what is written named in 97 of 100 lines to deny, git left to git', () => {
    const deny = seen.filter(({ one }) => one.expected === 'deny' && !ELSEWHERE(one.tool_input.command));
    const git = deny.filter(line => line.named.length === 0 && line.git);
    const missed = deny.filter(
      line => line.named.length === 0 && !line.git && !line.one.accept.includes('detect-after'),
    );
    assert.ok(deny.length > 300);
    assert.ok(git.length < 40, show(git));
    assert.ok(missed.length <= deny.length * 0.03, show(missed));
  });

  it('has no false alarm on a line to allow', () => {
    const alarms = seen.filter(
      ({ one, named }) => one.expected === 'allow' && named.length > 0 && !one.accept.includes('deny'),
    );
    assert.equal(alarms.length, 0, show(alarms));
  });

  it('never passes a line to deny as plain', () => {
    const passed = seen.filter(
      ({ one, plain }) => one.expected !== 'allow' && plain !== null && !one.accept.includes('detect-after'),
    );
    assert.equal(passed.length, 0, show(passed));
  });
});
