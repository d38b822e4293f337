/**
 * The check after the call, on real writes: each command that is to be denied, or can only be seen afterwards, is run by
 * bash in a throw-away copy with nothing in its way, and the built post hook must tell of it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { passClaims } from '../../src/guards/claim-text.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';
import { type Line, type Place, payload, readLines, substitute, Worlds } from './tool-calls.ts';
import { DIST } from './world.ts';

const dir = corpus('tool-calls');
/** Nothing here may reach beyond the copy or wait for somebody. */
const APART =
  /(?<![./\w-])(?:sudo|docker|podman|ssh|scp|at|batch|crontab|systemctl|mount|claude|codex|gemini|kill|pkill|reboot)(?![\w./-])|\bnpm (?:i|install|ci|exec)\b|\bnpx\b|\bcd \/ /;
/** Held by the freeze through the keys that decide. */
const SETTINGS = [
  'package.json',
  'jest.config.js',
  'vitest.config.ts',
  'pytest.ini',
  '.pytest.ini',
  'setup.cfg',
  'conftest.py',
  '.npmrc',
];
const PROTECTED = ['frozen', 'state', 'hooks', 'config', 'artifact'];

/** A small picture of everything protected, to know what the command really did in this copy. */
function picture(place: Place): Map<string, string> {
  const out = new Map<string, string>();
  const visit = (rel: string, deep = true): void => {
    const path = join(place.root, rel);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isSymbolicLink()) out.set(rel, `-> ${readlinkSync(path)}`);
    else if (stat.isDirectory()) {
      if (deep && !/vault\.git$|__pycache__|\.pytest_cache|logs$/.test(rel))
        for (const name of readdirSync(path)) visit(`${rel}/${name}`);
    } else if (stat.isFile() && !/\.pyc$/.test(rel))
      out.set(rel, `${stat.mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
  };
  for (const rel of ['tests', 'src', '.claude', '.husky', '.git/hooks', 'docs/verification', ...SETTINGS]) visit(rel);
  return out;
}

function frozenHashes(place: Place): Record<string, string> {
  try {
    const manifest = JSON.parse(readFileSync(join(place.root, '.claude/state/freeze.json'), 'utf8')) as {
      files: Record<string, { sha256: string }>;
    };
    return Object.fromEntries(Object.entries(manifest.files).map(([rel, { sha256 }]) => [rel, sha256]));
  } catch {
    return {};
  }
}

function protectedChange(before: Map<string, string>, place: Place, decides: boolean): string[] {
  const after = picture(place);
  const held = frozenHashes(place);
  const changed = [...new Set([...before.keys(), ...after.keys()])]
    .filter(rel => before.get(rel) !== after.get(rel))
    // A line that prepares a changed test of its own may put the frozen bytes back.
    .filter(rel => held[rel] === undefined || !after.get(rel)?.endsWith(` ${held[rel]}`));
  return changed.filter(
    rel =>
      /^(?:tests\/|\.claude\/(?:state|hooks|settings|project)|\.husky\/|\.git\/hooks\/)/.test(rel) ||
      /\.test\.ts$/.test(rel) ||
      (SETTINGS.includes(rel) && decides) ||
      (/^(?:docs\/verification|\.claude\/reports)\//.test(rel) && statesPass(rel, place)),
  );
}

/** The reports of the corpus' world state no PASS of their own. */
function statesPass(rel: string, place: Place): boolean {
  const path = join(place.root, rel);
  return existsSync(path) && passClaims(readFileSync(path, 'utf8')).length > 0;
}

function runnable(line: Line): boolean {
  const command = line.tool_input.command;
  if (typeof command !== 'string' || line.tool_name !== 'Bash' || line.expected === 'allow') return false;
  const changed = line.verified.changed ?? {};
  return PROTECTED.some(kind => (changed[kind] ?? []).length > 0) && !APART.test(command);
}

describe('the check after the call', { skip: dir === null && NO_CORPUS }, () => {
  it('tells of every protected file a command really changed', () => {
    using worlds = new Worlds(dir!);
    // A copy of a repository for each line: a third of them by default, all with ONLY=.
    const step = process.env.ONLY === undefined ? 3 : 1;
    const silent: string[] = [];
    let ran = 0;
    let changedNothing = 0;
    for (const line of readLines(dir!)
      .filter(runnable)
      .filter((_, i) => i % step === 0)) {
      const place = worlds.place(line.setup, true);
      const env = { ...worlds.env(place.home), CLAUDE_PROJECT_DIR: place.root };
      const before = picture(place);
      const call = payload(line, place, 'PostToolUse');
      const command = substitute(String(line.tool_input.command), place);
      spawnSync('timeout', ['-k', '1', '10', 'bash', '-O', 'expand_aliases', '-c', command], {
        cwd: String(call.cwd),
        env,
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      const changed = protectedChange(before, place, line.category === 'test-config-weakening');
      if (changed.length > 0) {
        ran++;
        const hook = spawnSync(process.execPath, [join(DIST, 'hooks/post-tool-use.cjs')], {
          cwd: place.home,
          env,
          input: JSON.stringify({ ...call, tool_response: { stdout: '', stderr: '', interrupted: false } }),
          encoding: 'utf8',
        });
        if (hook.status !== 2)
          silent.push(`${line.id}: ${command.slice(0, 200)} changed ${changed.slice(0, 4).join(' ')}`);
      } else {
        changedNothing++;
        if (process.env.ONLY) console.log(`no change: ${line.id} ${command.slice(0, 160)}`);
      }
      worlds.done(place);
    }
    console.log(`${ran} commands changed something protected, ${changedNothing} need tools or files that are not here`);
    assert.ok(ran > 0, 'commands were run');
    assert.deepEqual(silent, []);
  });
});
