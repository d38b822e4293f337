import { bytesOf } from '../repo/names.ts';
import { plain } from '../runners/text.ts';
import type { Closed } from '../runs/closing.ts';
import { resolveRunId } from '../runs/ids.ts';
import { type Look, lookAt } from '../runs/look.ts';
import { listRuns, readRun, readRunBytes, runIds } from '../runs/store.ts';
import type { RunDiagnostic, RunRecord } from '../runs/types.ts';
import { print, printJson, UsageError } from './command.ts';
import { listText, safe, showText } from './run-text.ts';

export function list(root: string, options: { json?: boolean }): void {
  const { runs, diagnostics } = listRuns(root);
  if (options.json) return printJson({ schema: 'touchstone.run-list/1', runs, diagnostics });
  print(listText(runs));
  tell(diagnostics);
}

export function found(root: string, wanted: string): RunRecord {
  const read = readRun(root, resolveRunId(runIds(root), wanted));
  if (read.kind === 'run') return read.run;
  const { code, path, message } = read.diagnostic;
  throw new UsageError('unreadable-run', `${code} ${path}: ${message}`);
}

export function showRun(root: string, wanted: string, options: { json?: boolean; verbose?: boolean }): void {
  show(lookAt(root, found(root, wanted), options.verbose === true), options.json);
}

export function show(look: Look, json = false): void {
  if (json) return printJson({ schema: 'touchstone.run-show/1', ...look });
  print(showText(look));
  tell(look.diagnostics);
}

function tell(diagnostics: readonly RunDiagnostic[]): void {
  for (const d of diagnostics) process.stderr.write(`touchstone: ${d.code} ${safe(d.path)}: ${safe(d.message)}\n`);
}

export function diff(root: string, wanted: string): void {
  const run = found(root, wanted);
  const patch = readRunBytes(root, run.runId, 'diff.patch');
  if (patch === null) {
    const why = run.warnings.find(w => w.includes('patch')) ?? 'the run kept no patch';
    process.stderr.write(`touchstone: run diff: ${safe(why)}\n`);
    process.exitCode = 1;
  } else if (patch.length === 0) print('No file differs from where the run began.');
  // For a program byte for byte, for a screen without what would drive it.
  else if (process.stdout.isTTY) print(plain(patch.toString('utf8')));
  else process.stdout.write(patch);
  const { changedFiles, diagnostics } = lookAt(root, run, false);
  const inside = namesIn(patch?.toString('latin1') ?? '');
  const outside = changedFiles.filter(file => file.modifiedDuringRun && !inside(file.path));
  if (outside.length > 0) {
    const names = outside.map(file => `${file.changeType} ${file.path}`).join(', ');
    process.stderr.write(`not in the patch: ${safe(names)}\n`);
  }
  tell(diagnostics);
}

/** Whether a patch, byte for byte, has a part about a path; git quotes a name that holds control characters, quotes or backslashes. */
function namesIn(patch: string): (path: string) => boolean {
  const heads = new Set(patch.split('\n').filter(line => line.startsWith('diff --git ')));
  const special: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
  const octal = (c: string) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`;
  const quoted = (name: string): string => {
    const inner = name.replace(/[\x00-\x1f"\\\x7f]/g, c => special[c] ?? octal(c));
    return inner === name ? name : `"${inner}"`;
  };
  return path => {
    const name = bytesOf(path).toString('latin1');
    return heads.has(`diff --git ${quoted(`a/${name}`)} ${quoted(`b/${name}`)}`);
  };
}

/** Shown from what was found: a disk that is full has kept less. */
export function closing(root: string, closed: Closed, json: boolean | undefined): void {
  const { run, evidence, verification, note } = closed;
  if (note) process.stderr.write(`touchstone: ${safe(note)}\n`);
  show({ ...lookAt(root, run, false), evidence, verification, changedFiles: evidence.changedFiles }, json);
}
