/** What the agent said of a run, gathered and held against what the run's record shows. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { locate } from '../repo/locate.ts';
import { readClaims } from './claims/index.ts';
import type { Closing, Seen } from './closing.ts';
import { crossCheck } from './cross-check.ts';
import { ledgerOf, type OwnVerdict, type ReadCommand, reportOf } from './ledger.ts';
import { claimsOf, type RunnerReport } from './report.ts';
import { saidIn } from './said.ts';
import { readEvents, readRun, runIds } from './store.ts';
import { byHooks, type Verification } from './types.ts';

export type Told = { message: string; report: RunnerReport | null; readCommand: ReadCommand };

export function toldOf(root: string, runId: string, told: Told): NonNullable<Closing['claims']> {
  return ({ changedFiles, verification }: Seen) => {
    const { events, torn } = ofFamily(root, runId);
    const repo = locate(root);
    const [top, prefix] = repo.kind === 'worktree' ? [repo.top, repo.prefix] : [root, ''];
    const mine = changedFiles.filter(file => file.modifiedDuringRun).map(file => file.path);
    // An agent names what lies in its project from there.
    const paths = mine.map(path => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
    const changes = { paths, lastChange: newest(top, mine) };
    const ledger = ledgerOf(events, told.readCommand, changes, verdictOf(verification));
    const known = { changed: ledger.changed, commands: ledger.commands.map(c => c.command) };
    const claims = claimsOf(told.report, saidIn(told.message, known), readClaims(told.message).claims);
    const { checks, warnings } = crossCheck(claims, ledger);
    if (torn > 0) warnings.push(`${torn} line(s) of events.jsonl could not be read and were left out`);
    return { claims, checks, warnings };
  };
}

const MOST_CHILDREN = 200;

/** The run's own events and those of the runs it encloses: subagents, the hooks of a wrapped agent. */
function ofFamily(root: string, runId: string): ReturnType<typeof readEvents> {
  const family = new Set([runId]);
  const found = readEvents(root, runId);
  const later = runIds(root)
    .filter(id => id !== runId)
    .sort()
    .slice(-MOST_CHILDREN);
  for (const id of later) {
    const read = readRun(root, id);
    if (read.kind !== 'run' || !byHooks(read.run) || !family.has(read.run.parentRunId ?? '')) continue;
    family.add(id);
    const child = readEvents(root, id);
    found.events.push(...child.events);
    found.torn += child.torn;
  }
  found.events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return found;
}

function newest(top: string, paths: readonly string[]): number | null {
  let last: number | null = null;
  for (const path of paths) {
    const stat = lstatSync(join(top, path), { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) last = Math.max(last ?? 0, stat.mtimeMs);
  }
  return last;
}

function verdictOf(verification: Verification): OwnVerdict {
  if (!verification.ran) return null;
  const name = verification.commands.map(c => c.name).join(', ');
  const reports = verification.commands.flatMap(({ stdoutTail = '', stderrTail = '' }) => {
    const report = reportOf(`${stdoutTail}\n${stderrTail}`);
    return report ? [report] : [];
  });
  return { passed: verification.passed, name, reports };
}
