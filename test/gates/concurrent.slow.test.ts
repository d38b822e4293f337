/** Two sessions evaluate, kick back and sweep at once, and some of their processes are killed at any moment. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gateSchema, ledgerSchema } from '../../src/gates/schema.ts';
import { gated, mark, session } from '../scenarios/gates-world.ts';
import { CLI, cleanEnv, DIST, type World } from '../scenarios/world.ts';

type End = { code: number | null; out: string };

function start(w: World, args: string[], input = '', killAfter?: number): Promise<End> {
  return new Promise(done => {
    const child = spawn(process.execPath, args, {
      cwd: w.root,
      env: cleanEnv(w.home),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    child.on('close', code => {
      clearTimeout(timer);
      done({ code, out });
    });
  });
}

/** Every file of the gates folder that is in place parses by its schema. */
function allParse(w: World): void {
  for (const name of readdirSync(join(w.root, '.claude/state/gates'))) {
    if (!name.endsWith('.json')) continue;
    const text = readFileSync(join(w.root, '.claude/state/gates', name), 'utf8');
    const schema = name === 'ledger.json' ? ledgerSchema : gateSchema;
    assert.equal(schema.safeParse(JSON.parse(text)).success, true, `${name}: ${text}`);
  }
}

const kick = (step: string) => [CLI, 'gate', 'kickback', step, '--from', 'review', '--evidence', 'x', '--json'];

test('no count is lost or doubled, and verdicts always parse', { timeout: 600_000 }, async () => {
  using w = gated({ build: { marker: true }, review: { marker: true, after: ['build'] } });
  session(w);
  mark(w, 'build');
  let told = 0;
  let killed = 0;
  const one = async (id: string): Promise<void> => {
    for (let i = 0; i < 12; i++) {
      const kill = Math.random() < 0.2 ? 200 + Math.random() * 1000 : undefined;
      if (Math.random() < 0.5) await start(w, [CLI, 'gate', 'eval', '--session', id], '', kill);
      else {
        const end = await start(w, kick('build'), '', kill);
        // Told or not, the count of a killed one may stand; one that answered stands.
        if (end.code === null) killed++;
        else {
          assert.ok(end.out.startsWith('{'), end.out);
          told++;
        }
      }
      allParse(w);
    }
  };
  await Promise.all([one('S'), one('T')]);
  await start(w, kick('build'));
  told++;
  const ledger = ledgerSchema.parse(JSON.parse(w.read('.claude/state/gates/ledger.json')));
  const { cumulative } = ledger.gates.build!;
  assert.ok(cumulative >= told && cumulative <= told + killed, `${cumulative} counted, ${told} told, ${killed} killed`);

  // And with sessions that begin, sweep and set the budget back.
  const begin = (id: string) =>
    start(
      w,
      [join(DIST, 'hooks/session-start.cjs')],
      JSON.stringify({ session_id: id, cwd: w.root, hook_event_name: 'SessionStart', source: 'startup' }),
      Math.random() < 0.3 ? 100 + Math.random() * 600 : undefined,
    );
  const two = async (id: string): Promise<void> => {
    for (let i = 0; i < 6; i++) {
      const roll = Math.random();
      if (roll < 0.4) await begin(id);
      else if (roll < 0.7) await start(w, kick('build'));
      else await start(w, [CLI, 'gate', 'pass', 'build', '--session', id]);
      allParse(w);
    }
  };
  await Promise.all([two('S'), two('T')]);
  const last = await start(w, [CLI, 'gate', 'eval', '--json']);
  assert.equal((JSON.parse(last.out) as unknown[]).length, 2);
});
