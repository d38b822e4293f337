import { readProject } from '../config/project.ts';
import type { ChangedFile } from '../repo/attribution.ts';
import { taskOf } from '../runs/close.ts';
import type { Closed } from '../runs/closing.ts';
import { readEvidence } from '../runs/evidence.ts';
import { freshnessOf } from '../runs/freshness.ts';
import { resolveRunId } from '../runs/ids.ts';
import { readRunSettings } from '../runs/settings.ts';
import { listRuns, readRun, readRunJson, readRunText, runIds } from '../runs/store.ts';
import type { EvidenceRecord, RunRecord, Verification } from '../runs/types.ts';
import { nowOf } from '../runs/verification.ts';
import { print, printJson, UsageError } from './command.ts';
import { listText, type Shown, safe, showText } from './run-text.ts';

export function list(root: string, options: { json?: boolean }): void {
  const { runs, diagnostics } = listRuns(root);
  if (options.json) return printJson({ schema: 'touchstone.run-list/1', runs, diagnostics });
  print(listText(runs));
  for (const d of diagnostics) process.stderr.write(`touchstone: ${d.code} ${safe(d.path)}: ${safe(d.message)}\n`);
}

export function found(root: string, wanted: string): RunRecord {
  const read = readRun(root, resolveRunId(runIds(root), wanted));
  if (read.kind === 'run') return read.run;
  const { code, path, message } = read.diagnostic;
  throw new UsageError('unreadable-run', `${code} ${path}: ${message}`);
}

function shownOf(root: string, run: RunRecord, verbose: boolean): Shown {
  const { runId } = run;
  const evidence =
    readEvidence(root, run.specName, run.taskId ?? taskOf(run), runId) ??
    readRunJson<EvidenceRecord>(root, runId, 'evidence.json');
  const { tasks } = readRunSettings(readProject(root).project.raw);
  return {
    run,
    evidence,
    changedFiles: readRunJson<{ changedFiles: ChangedFile[] }>(root, runId, 'changed-files.json')?.changedFiles ?? [],
    verification: readRunJson<Verification>(root, runId, 'verification.json'),
    freshness: evidence && run.taskId !== undefined ? freshnessOf(evidence, nowOf(root, run, tasks)) : null,
    diagnostics: [],
    ...(verbose
      ? {
          prompt: readRunText(root, runId, 'prompt.md'),
          stdout: readRunText(root, runId, 'raw-stdout.log'),
          stderr: readRunText(root, runId, 'raw-stderr.log'),
        }
      : {}),
  };
}

export function show(root: string, wanted: string, options: { json?: boolean; verbose?: boolean }): void {
  const shown = shownOf(root, found(root, wanted), options.verbose === true);
  if (options.json) printJson({ schema: 'touchstone.run-show/1', ...shown });
  else print(showText(shown));
}

export function diff(root: string, wanted: string): void {
  const run = found(root, wanted);
  const patch = readRunText(root, run.runId, 'diff.patch');
  const shown = shownOf(root, run, false);
  if (patch !== null) print(patch === '' ? 'No tracked file differs from HEAD.' : patch);
  else {
    const why = run.warnings.find(w => w.includes('patch')) ?? 'the run kept no patch';
    process.stderr.write(`touchstone: run diff: ${safe(why)}\n`);
    process.exitCode = 1;
  }
  const mine = shown.changedFiles.filter(f => f.modifiedDuringRun);
  const outside = mine.filter(f => patch === null || !patch.includes(f.path)).map(f => `${f.changeType} ${f.path}`);
  if (outside.length > 0) process.stderr.write(`not in the patch: ${safe(outside.join(', '))}\n`);
}

export function closing(root: string, closed: Closed, json: boolean | undefined): void {
  const { run, note } = closed;
  if (note) process.stderr.write(`touchstone: ${safe(note)}\n`);
  if (json) printJson({ schema: 'touchstone.run-show/1', ...shownOf(root, run, false) });
  else print(showText(shownOf(root, run, false)));
}
