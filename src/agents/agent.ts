/** What one agent protocol must tell us: how its hooks name events and tools. Decoding is shared; the names differ. */
import type { BackgroundTask, Change, Edit, Event, EventKind, PathOp, ToolCall, ToolResult } from '../event.ts';

export type ToolShape =
  | 'write'
  | 'edit'
  | 'multi-edit'
  | 'notebook'
  | 'shell'
  | 'powershell'
  | 'patch'
  | 'mcp'
  | 'read';

export type Agent = {
  name: string;
  /** Marks that only this agent's payloads carry. */
  recognise(payload: Record<string, unknown>): boolean;
  events: Readonly<Record<string, EventKind>>;
  tools: Readonly<Record<string, ToolShape>>;
  /** Names of the fields that are called differently. */
  fields?: { prompt?: string; message?: string };
};

export type Decoded = { kind: 'event'; event: Event } | { kind: 'invalid'; why: string };

export function decodeWith(agent: Agent, payload: Record<string, unknown>, fallback: EventKind | null): Decoded {
  const named = typeof payload.hook_event_name === 'string' ? agent.events[payload.hook_event_name] : undefined;
  // A name we do not know is another event's; only the guarding hook answers for it all the same.
  const unknown = typeof payload.hook_event_name === 'string' && named === undefined && fallback !== 'pre-tool';
  const kind = unknown ? null : (named ?? fallback);
  if (!kind) return { kind: 'invalid', why: 'the payload names an event nobody handles' };
  const cwd = text(payload.cwd);
  const event: Event = {
    kind,
    agent: agent.name,
    session: text(payload.session_id) ?? '',
    subagent: text(payload.agent_id),
    cwd: cwd ?? process.env.CLAUDE_PROJECT_DIR ?? process.cwd(),
    projectDir: process.env.CLAUDE_PROJECT_DIR || undefined,
  };
  if (kind === 'pre-tool' || kind === 'post-tool' || kind === 'post-tool-failure') {
    if (typeof payload.tool_name !== 'string') return { kind: 'invalid', why: 'the payload names no tool' };
    if (!isObject(payload.tool_input)) return { kind: 'invalid', why: 'tool_input is not an object' };
    const call = decodeCall(agent, payload.tool_name, payload.tool_input, text(payload.tool_use_id));
    if (typeof call === 'string') return { kind: 'invalid', why: call };
    event.call = call;
    if (kind !== 'pre-tool') event.result = decodeResult(payload, kind === 'post-tool-failure');
  }
  if (kind === 'post-tool-batch' && Array.isArray(payload.tool_calls)) {
    event.calls = payload.tool_calls.filter(isObject).flatMap(c => {
      const call = isObject(c.tool_input)
        ? decodeCall(agent, String(c.tool_name), c.tool_input, text(c.tool_use_id))
        : '';
      return typeof call === 'string' ? [] : [call];
    });
  }
  const prompt = payload[agent.fields?.prompt ?? 'prompt'];
  if (kind === 'user-prompt' && typeof prompt === 'string') {
    event.prompt = prompt;
    event.promptSource = isMachineMade(prompt, text(payload.source)) ? 'machine' : 'human';
  }
  if (kind === 'stop' || kind === 'subagent-stop') {
    event.message = text(payload[agent.fields?.message ?? 'last_assistant_message']);
    event.stopActive = payload.stop_hook_active === true;
    event.background = Array.isArray(payload.background_tasks)
      ? payload.background_tasks.filter(isObject).map(task)
      : [];
  }
  event.source = text(payload.source) ?? text(payload.reason);
  event.file = text(payload.file_path);
  return { kind: 'event', event };
}

/** A turn the client made itself carries no human's consent, whatever it says. */
function isMachineMade(prompt: string, source: string | undefined): boolean {
  if (source !== undefined && source !== 'user') return true;
  return /^\s*<(?:task-notification|system-reminder|local-command|command-name|bash-)/.test(prompt);
}

function task(raw: Record<string, unknown>): BackgroundTask {
  return { id: String(raw.id ?? ''), type: String(raw.type ?? ''), status: String(raw.status ?? '') };
}

function decodeCall(agent: Agent, tool: string, input: Record<string, unknown>, id?: string): ToolCall | string {
  const call: ToolCall = { tool, id, writes: [], input };
  const shape = agent.tools[tool] ?? (tool.startsWith('mcp__') ? mcpShape(tool) : 'read');
  const path = text(input.file_path) ?? text(input.absolute_path);
  switch (shape) {
    case 'write':
      if (path === undefined) return noPath(tool, 'file_path');
      if (typeof input.content !== 'string') return `${tool}: content is not a string`;
      call.writes = [{ op: 'write', path }];
      call.change = { kind: 'whole', text: input.content };
      return call;
    case 'edit':
      if (path === undefined) return noPath(tool, 'file_path');
      if (typeof input.new_string !== 'string') return `${tool}: new_string is not a string`;
      call.writes = [{ op: 'write', path }];
      call.change = { kind: 'edits', edits: [edit(input)] };
      return call;
    case 'multi-edit':
      if (path === undefined) return noPath(tool, 'file_path');
      if (!Array.isArray(input.edits)) return `${tool}: edits is not a list`;
      call.writes = [{ op: 'write', path }];
      call.change = { kind: 'edits', edits: input.edits.filter(isObject).map(edit) };
      return call;
    case 'notebook': {
      const notebook = text(input.notebook_path) ?? path;
      if (notebook === undefined) return noPath(tool, 'notebook_path');
      const mode = input.edit_mode === 'insert' || input.edit_mode === 'delete' ? input.edit_mode : 'replace';
      call.writes = [{ op: 'write', path: notebook }];
      call.change = { kind: 'cell', source: text(input.new_source) ?? '', mode, cell: text(input.cell_id) };
      return call;
    }
    case 'shell':
    case 'powershell':
      // A Monitor may watch a socket instead of running a command.
      if (typeof input.command !== 'string') return tool === 'Monitor' ? call : `${tool}: command is not a string`;
      call.command = input.command;
      call.background = input.run_in_background === true;
      return call;
    case 'patch':
      if (typeof input.command !== 'string') return `${tool}: command is not a string`;
      return { ...call, ...readPatch(input.command) };
    case 'mcp':
      return mcpCall(call);
    case 'read':
      return call;
  }
}

const PATH_FIELD =
  /^(?:.*_)?(?:path|paths|file|files|file_?name|uri|source|destination|target|src|dst|dest|from|to|new_?name)$|(?:^|_)path_(?:in|to|of)_/i;
/** What a copy reads. */
const SOURCE_FIELD = /^(?:source|src|from)(?:_?path|_?file)?$/i;
const CONTENT_FIELD = ['content', 'contents', 'text', 'data', 'body', 'file_text', 'new_source'];

/** Every string that looks like a path counts as written: the tool's own schema is not known here. */
function mcpCall(call: ToolCall): ToolCall {
  const { input } = call;
  for (const [key, value] of Object.entries(input)) {
    if (!PATH_FIELD.test(key.replace(/([a-z])([A-Z])/g, '$1_$2'))) continue;
    if (SOURCE_FIELD.test(key) && /cop(?:y|ies)/i.test(call.tool)) continue;
    for (const path of Array.isArray(value) ? value : [value]) {
      const named = isObject(path) ? path.path : path;
      if (typeof named === 'string' && named !== '' && named.length < 4096) {
        call.writes.push({ op: 'write', path: named.replace(/^file:\/\//, '') });
      }
    }
  }
  const content = CONTENT_FIELD.map(key => input[key]).find(value => typeof value === 'string');
  if (Array.isArray(input.edits)) call.change = { kind: 'edits', edits: input.edits.filter(isObject).map(edit) };
  else if (typeof input.new_string === 'string' || typeof input.newText === 'string')
    call.change = { kind: 'edits', edits: [edit(input)] };
  else if (typeof content === 'string') call.change = { kind: 'whole', text: content };
  const command = input.command ?? input.cmd ?? input.script;
  if (typeof command === 'string') call.command = command;
  else if (Array.isArray(command))
    call.command = command.map(word => `'${String(word).replaceAll("'", "'\\''")}'`).join(' ');
  return call;
}

function noPath(tool: string, field: string): string {
  return `${tool}: ${field} is not a string`;
}

function edit(raw: Record<string, unknown>): Edit {
  return {
    old: text(raw.old_string) ?? text(raw.oldText) ?? '',
    new: text(raw.new_string) ?? text(raw.newText) ?? '',
    all: raw.replace_all === true,
  };
}

/** The patch form of Codex: the files it names, and the text where one whole file is added. */
function readPatch(patch: string): { writes: PathOp[]; change?: Change } {
  const writes: PathOp[] = [];
  for (const match of patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm)) {
    if (match[3]) writes.push({ op: 'rename', path: match[3].trim() });
    else writes.push({ op: match[1] === 'Delete' ? 'delete' : 'write', path: match[2]!.trim() });
  }
  const added = patch
    .split('\n')
    .filter(line => line.startsWith('+'))
    .map(line => line.slice(1))
    .join('\n');
  return {
    writes,
    change: writes.length === 1 ? { kind: 'edits', edits: [{ old: '', new: added, all: false }] } : undefined,
  };
}

const MCP_READ =
  /^(?:read|get|list|search|find|stat|view|show|tree|info|query|grep|exists|describe|lookup|fetch|open|preview|diff|log|status|count|head|tail|lint|run|test|check|scan|analyze|analyse|validate|inspect|stage|add|debug|breakpoint|upload|navigate|browse|explain|summarize|repomix)$/;
const MCP_WRITE =
  /^(?:write|writes|edit|create|new|delete|remove|rename|move|append|patch|update|replace|insert|save|put|copy|set|apply|touch|truncate|chmod|link|symlink|mkdir|fix|format|refactor|reformat|exec|execute|overwrite|modify|generate|restore|unlink)$/;

/** An MCP tool tells its purpose by the words of its name alone; the first that says one way or the other decides. */
function mcpShape(tool: string): ToolShape {
  const name = tool.slice(tool.lastIndexOf('__') + 2);
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return words.find(w => MCP_READ.test(w) || MCP_WRITE.test(w))?.match(MCP_READ) ? 'read' : 'mcp';
}

function decodeResult(payload: Record<string, unknown>, failed: boolean): ToolResult {
  if (failed) {
    const error = text(payload.error) ?? '';
    const code = /^Exit code (\d+)/.exec(error);
    return {
      text: error.replace(/^Exit code \d+\n?/, ''),
      failed: true,
      exitCode: code ? Number(code[1]) : undefined,
      background: false,
    };
  }
  const response = payload.tool_response;
  if (typeof response === 'string') return { text: response, failed: false, background: false };
  if (!isObject(response)) return { text: '', failed: false, background: false };
  const shown = text(response.stdout) ?? text(response.returnDisplay) ?? text(response.llmContent) ?? '';
  const err = text(response.stderr) ?? '';
  return {
    text: err ? `${shown}\n${err}` : shown,
    failed: false,
    background: typeof response.backgroundTaskId === 'string' || response.interrupted === true,
    outputPath: text(response.persistedOutputPath),
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
