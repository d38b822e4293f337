/**
 * A finished tool call becomes one line of its run. Every post-tool hook pays for this: no process, no hashing, one
 * pointer read and one write.
 */
import { existsSync } from 'node:fs';
import type { Event } from '../event.ts';
import { redact } from '../redact/redact.ts';
import { rememberLost } from '../state/lost.ts';
import { findRoot, stateDir } from '../state/paths.ts';
import { appendWhole, openKey, readOpen, runPath } from '../state/run-files.ts';
import type { RunEvent } from './types.ts';

export const LOST_LINES = 'lines of events.jsonl';

const COMMAND_READ = 8_000;
const COMMAND_KEPT = 2_000;
const TAIL_READ = 6_000;
const TAIL_KEPT = 2_000;

/**
 * `late` opens a run for calls that belong to none yet: a subagent's first, a turn that went on after its end. Null, or
 * what the user should hear: once in a turn that a line was lost, which must not change what the hook finds.
 */
export function noteCall(event: Event, late: (root: string) => void): string | null {
  const root = findRoot(event.cwd, event.projectDir);
  const key = openKey(event.session, event.subagent);
  try {
    const open = readOpen(root, key) ?? (existsSync(stateDir(root)) ? opened(root, key, late) : null);
    if (open === null) return null;
    const line = JSON.stringify(eventOf(event, new Date()));
    try {
      appendWhole(runPath(root, open.run, 'events.jsonl'), line);
    } catch (error) {
      // The pointer outlived its run, or ran ahead of it when a hook was killed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      const again = opened(root, key, late);
      if (again) appendWhole(runPath(root, again.run, 'events.jsonl'), line);
    }
    return null;
  } catch (error) {
    if (!rememberLost(root, key, LOST_LINES, error)) return null;
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return `Touchstone: this call is not in the record of its run, nor may later ones be (${why}). What is guarded is still refused. Make .claude/state writable`;
  }
}

function opened(root: string, key: string, late: (root: string) => void) {
  late(root);
  return readOpen(root, key);
}

export function eventOf(event: Event, at: Date): RunEvent {
  const { call, result } = event;
  const line: RunEvent = { at: at.toISOString(), type: 'tool', tool: call?.tool ?? '' };
  if (call?.id) line.id = call.id;
  if (call?.command !== undefined) line.command = redact(call.command.slice(0, COMMAND_READ)).slice(0, COMMAND_KEPT);
  const writes = call?.writes.map(write => write.path.slice(0, 500)) ?? [];
  if (writes.length > 0) line.writes = writes.slice(0, 50);
  if (result === undefined) return line;
  if (result.failed) line.failed = true;
  if (result.exitCode !== undefined) line.exit = result.exitCode;
  if (result.background) line.background = true;
  line.bytes = result.text.length;
  if (call?.command !== undefined && result.text !== '') line.tail = tailOf(result.text);
  return line;
}

/** Redacted before the last cut, from a line's beginning: half a secret looks like none. */
function tailOf(text: string): string {
  if (text.length <= TAIL_KEPT) return redact(text);
  const read = text.slice(-TAIL_READ);
  const whole = text.length > TAIL_READ ? read.slice(read.indexOf('\n') + 1) : read;
  return redact(whole).slice(-TAIL_KEPT);
}
