/** Files in `.claude/state/markers/` whose existence is the whole signal: halt, quarantine, finish-choice, phase. */
import { lstatSync, rmSync, unlinkSync } from 'node:fs';
import { readState, writeAtomic } from '../state/atomic.ts';
import { statePath } from '../state/paths.ts';

export const SIGNALS = ['halt', 'quarantine', 'finish-choice', 'phase'] as const;
export type Signal = (typeof SIGNALS)[number];

export const HALT_CLASSES = ['needs-human', 'mechanical', 'protected-artifact', 'legacy'] as const;
export type HaltClass = (typeof HALT_CLASSES)[number];

const FOLDER = 'markers';
const CLASS = 'halt.class';

export function signalPath(root: string, name: string): string {
  return statePath(root, FOLDER, name);
}

/** Its text, or null where there is none. Something else than a file in its place is a signal too. */
export function readSignal(root: string, name: Signal): string | null {
  const path = signalPath(root, name);
  const read = readState(path);
  if (read.kind === 'text') return read.text;
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : '';
}

export function setSignal(root: string, name: Signal, text: string): void {
  writeAtomic(signalPath(root, name), text.endsWith('\n') ? text : `${text}\n`);
}

/** False where there was none. */
export function clearSignal(root: string, name: Signal): boolean {
  const path = signalPath(root, name);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  rmSync(path, { recursive: true, force: true });
  if (name === 'halt') rmSync(signalPath(root, CLASS), { force: true });
  return true;
}

/** A stale class must not be read as this halt's: it goes first, and the new one comes by rename. */
export function halt(root: string, reason: string, kind: HaltClass, by: string, now = Date.now()): void {
  try {
    unlinkSync(signalPath(root, CLASS));
  } catch {
    // There was none.
  }
  setSignal(
    root,
    'halt',
    [`reason: ${oneLine(reason)}`, `by: ${oneLine(by)}`, `written: ${new Date(now).toISOString()}`].join('\n'),
  );
  writeAtomic(signalPath(root, CLASS), `${kind}\n`);
}

export type Halt = { reason: string; class: HaltClass | 'unclassified' };

export function readHalt(root: string): Halt | null {
  const text = readSignal(root, 'halt');
  if (text === null) return null;
  const read = readState(signalPath(root, CLASS));
  const word = read.kind === 'text' ? read.text.trim() : '';
  const known = HALT_CLASSES.find(name => name === word);
  return {
    reason: /^reason: (.+)$/m.exec(text)?.[1] ?? (text.trim().split('\n')[0] || 'no reason given'),
    class: known ?? 'unclassified',
  };
}

export type Phase = { step: string; phase: string; allow: string[]; by: 'human' | 'agent' };

/** Line by line, so that `sh` reads it without a parser. */
export function phaseText(phase: Phase, now = Date.now()): string {
  return [
    `step: ${oneLine(phase.step)}`,
    `phase: ${oneLine(phase.phase)}`,
    `written: ${new Date(now).toISOString()}`,
    `by: ${phase.by}`,
    ...phase.allow.map(prefix => `allow: ${oneLine(prefix)}`),
    '',
  ].join('\n');
}

export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\0]+\s*/g, ' ').trim();
}
