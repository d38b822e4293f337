/** After a tool call: what a static reading could not see is looked for in the files themselves. */
import { existsSync, lstatSync } from 'node:fs';
import type { Reply } from './agents/stdio.ts';
import { mayBeRun } from './checks/observe-hint.ts';
import { matchAny } from './config/glob.ts';
import { type Project, readProject } from './config/project.ts';
import type { Event, ToolCall } from './event.ts';
import type { Cause } from './freeze/after.ts';
import { readTrace } from './freeze/trace.ts';
import { engine, held, loaders, suite, watch } from './load.ts';
import { readState } from './state/atomic.ts';
import { findRoot, locate, stateDir, statePath } from './state/paths.ts';
import { standing } from './verdict/standing.ts';
import { STATEFILE } from './verdict/statefile.ts';

/** Feedback for the agent; the call has run already. */
export function afterCall(event: Event): Reply {
  const root = findRoot(event.cwd, event.projectDir);
  const { project } = readProject(root);
  const behind = changedBehind(event, root, project);
  const lines = [frozenMoved(event, root, project), behind, behind === null ? forgedPass(root, project) : null].filter(
    line => line !== null,
  );
  if (mayBeRun(event, root, project)) observe(event, root, project);
  return lines.length === 0 ? { exit: 0 } : { exit: 2, stderr: lines.join('\n') };
}

function observe(event: Event, root: string, project: Project): void {
  const read = (command: string, cwd: string) => loaders.shell().readCommand(command, { cwd, root });
  const own = project.test.cmd.trim() === '' ? null : read(project.test.cmd, root);
  suite().observeCall(event, root, read(event.call?.command ?? '', event.cwd), own, project);
}

function causeOf(event: Event): Cause {
  const calls = callsOf(event);
  const command = calls.find(call => call.command !== undefined)?.command ?? null;
  return { session: event.session, tool: calls[0]?.tool ?? null, command: command?.slice(0, 2000) ?? null };
}

const callsOf = (event: Event): ToolCall[] => (event.call ? [event.call] : (event.calls ?? []));

/** State, wiring and reports: what a script did to them shows in the files. */
function changedBehind(event: Event, root: string, project: Project): string | null {
  if (!callsOf(event).some(call => call.command === undefined || !PLAIN_READ.test(call.command))) return null;
  if (!existsSync(stateDir(root)) && readTrace(root, project.frozen.paths) === null) return null;
  const proven = () => {
    const now = standing(root, project);
    return now.kind === 'pass' && engine().freshness(root, project.claims.paths, now) === 'fresh';
  };
  const { checkWatched, sayFindings } = watch();
  return sayFindings(checkWatched(root, project, proven, causeOf(event)));
}

function frozenMoved(event: Event, root: string, project: Project): string | null {
  const trace = readTrace(root, project.frozen.paths);
  if (trace === null) return null;
  if (!callsOf(event).some(call => couldReach(call, event.cwd, root, trace.patterns))) return null;
  return held().checkFrozenAfter(root, project, causeOf(event));
}

const PLAIN_READ =
  /^\s*(?:ls|cat|head|tail|wc|grep|rg|pwd|which|file|stat|du|df|date|echo|git (?:status|log|diff|show|branch|blame|rev-parse))\b(?!.* --?output)[\w@%+:,./ =-]*$/;

/** An edit tool says which file it wrote; a command may have written anything unless it plainly reads. */
function couldReach(call: ToolCall, cwd: string, root: string, patterns: readonly string[]): boolean {
  if (call.command !== undefined) return !PLAIN_READ.test(call.command);
  return call.writes.some(write => {
    const at = locate(write.path, cwd, root);
    const stat = lstatSync(at.real, { throwIfNoEntry: false });
    return (
      [at.rel, at.realRel].some(rel => rel !== null && matchAny(patterns, rel, true) !== null) || (stat?.nlink ?? 1) > 1
    );
  });
}

/** A PASS that no run stands behind, just written: the call that did it is told. */
function forgedPass(root: string, project: Project): string | null {
  const stat = lstatSync(statePath(root, STATEFILE), { throwIfNoEntry: false });
  if (project.test.cmd === '' || stat === undefined || Date.now() - stat.mtimeMs > 120_000) return null;
  // Who looks further hashes, and node's module for that costs a hook a tenth of its time.
  const file = readState(statePath(root, STATEFILE));
  if (file.kind !== 'text' || !file.text.startsWith('PASS')) return null;
  const now = standing(root, project);
  return now.kind === 'unattested'
    ? `Touchstone state-files: .claude/state/last_test_result says PASS, but ${now.why}: it proves nothing. Run: touchstone verify`
    : null;
}
