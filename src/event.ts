/**
 * The vocabulary every other module speaks (design, sections 2 and 5). Imports nothing.
 */

export type EventKind =
  | 'session-start'
  | 'user-prompt'
  | 'pre-tool'
  | 'post-tool'
  | 'post-tool-failure'
  | 'post-tool-batch'
  | 'stop'
  | 'subagent-stop'
  | 'config-change'
  | 'session-end';

/** What a tool call would do to one path. `path` is as the tool named it, before resolving. */
export type PathOp = {
  op: 'write' | 'create' | 'delete' | 'rename' | 'mode' | 'link';
  path: string;
};

/** A replacement inside a file, as edit tools describe it. */
export type Edit = { old: string; new: string; all: boolean };

/** The content a tool would give a file: whole, by edits, or by a notebook cell. */
export type Change =
  | { kind: 'whole'; text: string }
  | { kind: 'edits'; edits: Edit[] }
  | { kind: 'cell'; source: string; mode: 'replace' | 'insert' | 'delete'; cell?: string };

export type ToolCall = {
  tool: string;
  id?: string;
  /** Files the tool names itself; a shell command's effects are read by `shell/`. */
  writes: PathOp[];
  change?: Change;
  command?: string;
  background?: boolean;
  /** Raw input, for tools whose shape we only know in part (MCP). */
  input: Record<string, unknown>;
};

export type ToolResult = {
  /** Text the tool returned, stdout and stderr interleaved. */
  text: string;
  failed: boolean;
  /** Only where the client says it in words; no payload carries a number of its own. */
  exitCode?: number;
  /** The command left the foreground (asked for, or timed out): its outcome is not known. */
  background: boolean;
  /** Where the client put the whole output when it cut `text`. */
  outputPath?: string;
};

export type BackgroundTask = { id: string; type: string; status: string };

export type Event = {
  kind: EventKind;
  agent: string;
  session: string;
  /** Set inside a subagent only. */
  subagent?: string;
  cwd: string;
  projectDir?: string;
  call?: ToolCall;
  calls?: ToolCall[];
  result?: ToolResult;
  prompt?: string;
  /** Who made the prompt: a machine-made turn gives no consent. */
  promptSource?: 'human' | 'machine';
  message?: string;
  stopActive?: boolean;
  background?: BackgroundTask[];
  source?: string;
  file?: string;
};

export type Deny = { kind: 'deny'; rule: string; reason: string; next?: string };
export type Allow = { kind: 'allow' };
export type Decision = Allow | Deny;

export const ALLOW: Allow = { kind: 'allow' };

export function deny(rule: string, reason: string, next?: string): Deny {
  return { kind: 'deny', rule, reason, next };
}

/** Kleene truth: nothing looked is not the same as looked and wrong. */
export type Truth = 'true' | 'false' | 'unknown';
