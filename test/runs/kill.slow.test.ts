/** `kill -9` at random moments: what a reader can see is whole, what it has seen stays, the next command recovers and says so. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { RUN_SCHEMAS } from '../../src/runs/schema.ts';
import { listRuns } from '../../src/runs/store.ts';
import { CLI, cleanEnv, DIST, World } from '../scenarios/world.ts';

const KILLS = Number(process.env.TOUCHSTONE_KILLS ?? 200);
const PER_PROJECT = 20;

const SCHEMA_OF: Record<string, string> = {
  'run.json': 'run',
  'runner-request.json': 'run-request',
  'runner-result.json': 'run-result',
  'git-before.json': 'run-snapshot',
  'git-after.json': 'run-snapshot',
  'changed-files.json': 'run-changes',
  'verification.json': 'run-verification',
  'evidence.json': 'run-evidence',
  'report.json': 'run-report',
  'checkbox-update.json': 'run-checkbox',
};

/** Fixed numbers, so that a failure can be looked at again. */
function numbers(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 2 ** 32;
  };
}

function project(): World {
  const w = new World()
    .file('.gitignore', '.claude/state/\n')
    .file(
      '.claude/project.json',
      '{"test":{"cmd":""},"tasks":"tasks.md","verification":[{"name":"ok","argv":["true"]}]}\n',
    )
    .file('tasks.md', Array.from({ length: 40 }, (_, i) => `- [ ] ${i + 1}. Task ${i + 1}`).join('\n'))
    .file('a.txt', 'a\n')
    .commitAll();
  assert.equal(w.cli(['config', 'accept']).code, 0);
  return w;
}

type Victim = { name: string; args: string[]; input: string; prepare?: () => void };

function victims(w: World, n: number): Victim[] {
  const session = `S${n}`;
  const hook = (file: string, name: string, more: object): Victim => ({
    name: file,
    args: [join(DIST, 'hooks', `${file}.cjs`)],
    input: JSON.stringify({ session_id: session, cwd: w.root, hook_event_name: name, ...more }),
  });
  const prompt = hook('user-prompt-submit', 'UserPromptSubmit', { prompt: 'go' });
  const begun = () => {
    const done = w.hook('user-prompt-submit', prompt.input);
    assert.equal(done.code, 0);
    w.file(`f${n}.txt`, `${n}\n`);
  };
  const call = { tool_name: 'Write', tool_input: { file_path: join(w.root, 'x'), content: 'x' }, tool_response: {} };
  return [
    prompt,
    { ...hook('post-tool-use', 'PostToolUse', call), prepare: begun },
    { ...hook('stop', 'Stop', { last_assistant_message: 'I updated `a.txt`. All tests pass.' }), prepare: begun },
    { ...hook('session-start', 'SessionStart', { source: 'startup' }), prepare: begun },
    { ...hook('session-end', 'SessionEnd', { reason: 'exit' }), prepare: begun },
    { name: 'run --', args: [CLI, 'run', '--allow-dirty', '--', 'sh', '-c', `echo ${n} > g${n}.txt`], input: '' },
    { name: 'run begin', args: [CLI, 'run', 'begin'], input: '' },
    {
      name: 'run finish',
      args: [CLI, 'run', 'finish', `b-${n}`, '--message', 'Done.'],
      input: '',
      prepare: () => {
        assert.equal(w.cli(['run', 'begin', '--id', `b-${n}`]).code, 0);
        w.file(`f${n}.txt`, `${n}\n`);
      },
    },
    { name: 'accept', args: [CLI, 'accept', '--task', String((n % 40) + 1), '--reason', 'seen'], input: '' },
  ];
}

const state = (w: World, ...names: string[]): string => join(w.root, '.claude/state', ...names);

const list = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
};

/** Every byte under runs/ and evidence/runs/ that a reader could have seen. */
function seen(w: World): Map<string, string> {
  const found = new Map<string, string>();
  for (const top of ['runs', 'evidence/runs']) {
    for (const entry of list(state(w, top)).length > 0
      ? readdirSync(state(w, top), { recursive: true, withFileTypes: true })
      : []) {
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name);
        found.set(path, readFileSync(path, 'utf8'));
      }
    }
  }
  return found;
}

/** One time stamp for the whole state: it moves with every name that comes or goes. */
function moved(w: World): string {
  const at = ['.', 'tmp', 'runs', 'open-runs'].map(
    name => statSync(state(w, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return at.join();
}

async function kill(w: World, victim: Victim, after: { ms: number; change: boolean }): Promise<'killed' | 'ended'> {
  const before = moved(w);
  const child = spawn(process.execPath, victim.args, {
    cwd: w.root,
    env: cleanEnv(w.home),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(victim.input);
  const ended = new Promise<'ended'>(done => child.on('exit', () => done('ended')));
  const wait = (ms: number) => new Promise<'time'>(done => setTimeout(() => done('time'), ms));
  if (after.change) {
    const until = Date.now() + 5000;
    while (moved(w) === before && Date.now() < until)
      if ((await Promise.race([ended, wait(1)])) === 'ended') return 'ended';
  }
  if ((await Promise.race([ended, wait(after.ms)])) === 'ended') return 'ended';
  child.kill('SIGKILL');
  await ended;
  return child.signalCode === 'SIGKILL' ? 'killed' : 'ended';
}

function check(w: World, before: Map<string, string>): void {
  const now = seen(w);
  for (const [path, text] of now) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    assert.doesNotMatch(name, /\.tmp$/, path);
    const schema = path.includes('/evidence/') ? 'run-evidence' : SCHEMA_OF[name];
    if (name.endsWith('.json')) {
      assert.ok(schema, `${path} has a schema`);
      const parsed = RUN_SCHEMAS[schema]!.safeParse(JSON.parse(text));
      assert.equal(parsed.error?.message, undefined, path);
    }
    if (name === 'events.jsonl') {
      assert.ok(text.endsWith('\n'), path);
      for (const line of text.trimEnd().split('\n')) assert.equal(typeof JSON.parse(line).at, 'string', path);
    }
  }
  for (const [path, text] of before) {
    const later = now.get(path);
    assert.notEqual(later, undefined, `${path} is lost`);
    if (path.includes('/evidence/') || path.endsWith('evidence.json')) assert.equal(later, text, path);
    if (path.endsWith('events.jsonl')) assert.ok(later!.startsWith(text), path);
    if (path.endsWith('run.json') && JSON.parse(text).finishedAt) {
      assert.equal(JSON.parse(later!).finishedAt, JSON.parse(text).finishedAt, path);
    }
  }
}

/** What a reader sees of the work: nothing yet, some of it, or its last file in place. */
function phase(w: World, victim: Victim, before: Map<string, string>): 'nothing' | 'midway' | 'complete' {
  const now = seen(w);
  const fresh = [...now].filter(([path, text]) => before.get(path) !== text);
  const complete = fresh.some(([path, text]) => {
    if (victim.name === 'post-tool-use') return path.endsWith('events.jsonl');
    if (!path.endsWith('run.json')) return false;
    if (victim.name === 'user-prompt-submit' || victim.name === 'run begin') return !before.has(path);
    const { finishedAt, applied } = JSON.parse(text) as { finishedAt?: string; applied?: boolean };
    return victim.name === 'accept' ? applied === true : finishedAt !== undefined;
  });
  if (complete) return 'complete';
  const left = list(state(w, 'tmp')).length + list(state(w, 'open-runs')).length > 0;
  return fresh.length > 0 || left ? 'midway' : 'nothing';
}

function unfinished(w: World): boolean {
  if (list(state(w, 'tmp')).some(name => name.endsWith('.tmp'))) return true;
  return list(state(w, 'open-runs')).some(name => {
    const { run } = JSON.parse(readFileSync(state(w, 'open-runs', name), 'utf8')) as { run: string };
    const path = state(w, 'runs', run, 'run.json');
    if (!existsSync(path)) return true;
    const record = JSON.parse(readFileSync(path, 'utf8')) as {
      lifecycleStatus: string;
      closing?: object;
      finishedAt?: string;
    };
    if (record.finishedAt) return false;
    return record.lifecycleStatus !== 'AWAITING_AGENT_CHANGES' || record.closing !== undefined;
  });
}

describe('kill -9', () => {
  it(`${KILLS} times, of any hook or command`, { timeout: 25 * 60_000 }, async t => {
    const random = numbers(20260101);
    const fell: Record<string, Record<string, number>> = {};
    const counts = { nothing: 0, midway: 0, complete: 0, ended: 0 };
    let kills = 0;
    let told = 0;
    for (let n = 0; kills < KILLS; ) {
      using w = project();
      for (let i = 0; i < PER_PROJECT && kills < KILLS; n++) {
        const all = victims(w, n);
        const victim = all[Math.floor(random() * all.length)]!;
        victim.prepare?.();
        const before = seen(w);
        // Half of them strike as soon as something is written, the others anywhere from the start of the process on.
        const change = random() < 0.6;
        const how = await kill(w, victim, { ms: change ? random() * 60 : 30 + random() * 300, change });
        const where = how === 'ended' ? 'ended' : phase(w, victim, before);
        counts[where]++;
        fell[victim.name] = { ...fell[victim.name], [where]: (fell[victim.name]?.[where] ?? 0) + 1 };
        check(w, before);
        if (how === 'ended') {
          assert.ok(n < KILLS * 20, 'commands end before they can be killed');
        } else {
          kills++;
          i++;
        }
        const expected = unfinished(w);
        const after = seen(w);
        const next = w.hook('session-start', {
          hook_event_name: 'SessionStart',
          session_id: `next-${n}`,
          source: 'startup',
        });
        const said = next.out + next.err;
        if (expected) {
          assert.match(
            said,
            /was left open|was never begun|unfinished file/,
            `after ${victim.name} (${where}): ${said}`,
          );
          told++;
        }
        assert.deepEqual(listRuns(w.root).diagnostics, []);
        assert.equal(unfinished(w), false, victim.name);
        check(w, after);
      }
    }
    for (const [name, where] of Object.entries(fell)) t.diagnostic(`${name.padEnd(20)} ${JSON.stringify(where)}`);
    t.diagnostic(`${kills} kills: ${JSON.stringify(counts)}; recovered and said so ${told} times`);
    assert.ok(counts.nothing + counts.midway >= kills / 2, 'half of the kills fell before the last rename');
    assert.ok(counts.midway >= kills / 10, 'some fell in the middle of the writing');
    assert.ok(told >= kills / 10, 'recovery was needed');
  });
});
