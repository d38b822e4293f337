/** Runs as a person reads them: what the repository shows, then what the agent said. */
import type { ChangedFile } from '../repo/attribution.ts';
import { plain } from '../runners/text.ts';
import type { Look } from '../runs/look.ts';
import type { EvidenceRecord, RunRecord, Verification } from '../runs/types.ts';

/** Texts of agents and repositories must not drive the terminal. */
export const safe = (text: string): string => plain(text).replace(/\s*[\r\n]+\s*/g, ' ');

export function duration(ms: number | undefined): string {
  if (ms === undefined) return '—';
  return ms < 1000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`;
}

export function resultOf(run: RunRecord): string {
  if (run.lifecycleStatus === 'INTERRUPTED') return 'interrupted';
  return run.evidenceStatus ?? run.outcome ?? '(in progress)';
}

const SHORT = 12;

export function listText(runs: readonly RunRecord[]): string {
  if (runs.length === 0) return 'No runs recorded yet.';
  const rows = [['RUN', 'KIND', 'SPEC', 'TARGET', 'RUNNER', 'STARTED', 'TIME', 'RESULT']];
  for (const run of runs) {
    rows.push([
      run.runId.slice(0, SHORT),
      run.kind,
      clip(run.specName),
      clip(run.taskId ?? run.subagentId ?? run.sessionId ?? '—'),
      clip(run.runner),
      run.createdAt.replace(/\.\d+Z$/, 'Z'),
      duration(run.durationMs),
      resultOf(run),
    ]);
  }
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!.length)));
  return rows
    .map(row =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function clip(text: string): string {
  const line = safe(text);
  return line.length > 24 ? `${line.slice(0, 23)}…` : line;
}

export function showText(shown: Look): string {
  const { run, evidence, verification, freshness, task } = shown;
  const out: string[] = [`Run ${run.runId}`];
  const row = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') out.push(`  ${name.padEnd(11)} ${safe(value)}`);
  };
  row('Kind', run.kind);
  row('Spec', run.specName);
  row('Target', run.taskId);
  row('Runner', run.runner);
  row('Started', run.createdAt);
  row('Finished', run.finishedAt ?? '(in progress)');
  row('Duration', duration(run.durationMs));
  row('Outcome', run.outcome);
  row('Evidence', run.evidenceStatus);
  row('Freshness', freshness ? [freshness.worth, ...freshness.reasons, ...freshness.notes].join(', ') : undefined);
  row('Task proof', task ? (task.by === null ? task.bucket : `${task.bucket} (run ${task.by})`) : undefined);
  row('Session', run.sessionId);
  row('Subagent', run.subagentId);
  row('Resumable', run.resumeSupported ? 'yes' : 'no');
  row('Parent run', run.parentRunId);
  row('Aborted', run.abortReason);
  const section = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) out.push('', title, ...lines.map(line => `  ${safe(line)}`));
  };
  section('Actual changed files', shown.changedFiles.filter(f => f.modifiedDuringRun).map(changeLine));
  section('Reasons', evidence?.reasons ?? []);
  section('Violations', evidence?.violations ?? []);
  const manual = evidence?.manualAcceptance;
  if (manual)
    section('Manual acceptance', [
      `${manual.actor ?? 'nobody'} at ${manual.acceptedAt ?? 'no time'}: ${manual.reason ?? 'no reason given'}`,
      'MANUALLY ACCEPTED: nothing was verified',
    ]);
  section('Verification commands', (verification?.commands ?? evidence?.verificationCommands ?? []).map(commandLine));
  if (verification && !verification.ran && verification.skipped)
    section('Verification', [`did not run: ${verification.skipped}`]);
  section('Runner claims (said, not credited)', claimLines(evidence));
  section('Warnings', run.warnings);
  section('Not kept', run.notKept ?? []);
  const block = (title: string, text: string | null | undefined): void => {
    if (text) out.push('', title, plain(text).trimEnd());
  };
  block('Prompt', shown.prompt);
  block('Raw stdout', shown.stdout);
  block('Raw stderr', shown.stderr);
  // A wrapped agent's is in its output already.
  if (!shown.stdout) block('Last message', shown.message);
  return out.join('\n');
}

function changeLine(file: ChangedFile): string {
  const notes = [
    file.renamedFrom ? `renamed from ${file.renamedFrom}` : '',
    file.modeChange ? `mode ${file.modeChange.from} → ${file.modeChange.to}` : '',
    file.preExisting ? 'carries earlier changes' : '',
    file.committed ? 'committed' : '',
  ].filter(note => note !== '');
  return `${file.changeType.padEnd(8)} ${file.path}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

function commandLine(command: Verification['commands'][number]): string {
  const word = command.passed ? 'passed' : 'FAILED';
  const notes = [
    command.required ? '' : 'optional',
    command.reused ?? '',
    command.passed ? '' : (command.why ?? ''),
  ].filter(note => note !== '');
  return `${word}  ${command.name}: ${command.argv.join(' ')} (exit ${command.exitCode ?? '—'}, ${duration(command.durationMs)})${notes.length > 0 ? ` ${notes.join('; ')}` : ''}`;
}

function claimLines(evidence: EvidenceRecord | null): string[] {
  if (!evidence) return [];
  const { outcome, summary } = evidence.runnerClaims;
  const lines = (evidence.claimChecks ?? []).map(({ kind, text, reason, against }) => {
    const seen = against === undefined || against === text ? '' : ` [${against.slice(0, 100)}]`;
    return `${reason.padEnd(21)} ${kind}: ${text.slice(0, 200)}${seen}`;
  });
  return [
    ...(outcome ? [`outcome: ${outcome}`] : []),
    ...(summary ? [`summary: ${summary.slice(0, 400)}`] : []),
    ...lines,
  ];
}
