import { isAbsolute, relative, sep } from 'node:path';

/**
 * The one table of what Touchstone listens to. `init` writes it into a settings file, `hooks/hooks.json` is generated
 * from it, `doctor` checks against it.
 */
export type HookSpec = {
  event: string;
  /** Name of the bundle, without folder and extension. */
  file: string;
  /** Seconds the client waits; each hook's own deadline lies below it. */
  timeout: number;
  /** Only on events that carry a tool: elsewhere the client ignores it. */
  matcher?: string;
  /** Only where the client honours it. */
  onFailure?: 'block';
};

export const TOOL_MATCHER = 'Write|Edit|MultiEdit|NotebookEdit|Bash|Monitor|PowerShell|mcp__.*';
/** Tools that start a step: they write nothing themselves, and an attempt begins before they run. */
const DISPATCH_MATCHER = 'Agent|Task|Skill';

export const HOOKS: readonly HookSpec[] = [
  { event: 'SessionStart', file: 'session-start', timeout: 60 },
  { event: 'UserPromptSubmit', file: 'user-prompt-submit', timeout: 30, onFailure: 'block' },
  {
    event: 'PreToolUse',
    file: 'pre-tool-use',
    timeout: 30,
    matcher: `${TOOL_MATCHER}|${DISPATCH_MATCHER}`,
    onFailure: 'block',
  },
  { event: 'PostToolUse', file: 'post-tool-use', timeout: 60, matcher: TOOL_MATCHER, onFailure: 'block' },
  // Not in the list of events the option was seen to work on: left at the default.
  { event: 'PostToolUseFailure', file: 'post-tool-use-failure', timeout: 60, matcher: TOOL_MATCHER },
  { event: 'PostToolBatch', file: 'post-tool-batch', timeout: 60, onFailure: 'block' },
  { event: 'Stop', file: 'stop', timeout: 600 },
  { event: 'SubagentStop', file: 'subagent-stop', timeout: 60 },
  { event: 'ConfigChange', file: 'config-change', timeout: 30, onFailure: 'block' },
  { event: 'SessionEnd', file: 'session-end', timeout: 30 },
];

export type Handler = { type: 'command'; command: string; args: string[]; timeout: number; onFailure?: 'block' };
export type Group = { matcher?: string; hooks: Handler[] };

/** How a hook is started: the interpreter, and the folder of the bundles as the client shall read it. */
export type Launcher = { node: string; hooksDir: string };

export function group(spec: HookSpec, launcher: Launcher): Group {
  const handler: Handler = {
    type: 'command',
    command: launcher.node,
    args: [`${launcher.hooksDir}/${spec.file}.cjs`],
    timeout: spec.timeout,
  };
  if (spec.onFailure) handler.onFailure = spec.onFailure;
  return spec.matcher === undefined ? { hooks: [handler] } : { matcher: spec.matcher, hooks: [handler] };
}

/**
 * The hooks of an installed package. Inside the project a committed settings file can name them by the client's own
 * placeholder; anywhere else, and for settings that serve other start folders too, only an absolute path holds.
 */
export function launcher(options: { node: string; dist: string; root?: string }): Launcher {
  const dist = options.dist.split(sep).join('/');
  const inside = options.root === undefined ? undefined : relative(options.root, options.dist);
  const portable = inside !== undefined && inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
  const base = portable ? `\${CLAUDE_PROJECT_DIR}/${inside.split(sep).join('/')}` : dist;
  return { node: options.node, hooksDir: `${base}/hooks` };
}

/** The plugin cannot know the machine: the client fills in its root, and `node` comes from PATH. */
export const PLUGIN_LAUNCHER: Launcher = { node: 'node', hooksDir: '${CLAUDE_PLUGIN_ROOT}/dist/hooks' };

export function hookTable(from: Launcher): Record<string, Group[]> {
  return Object.fromEntries(HOOKS.map(spec => [spec.event, [group(spec, from)]]));
}

/** What hooks/hooks.json holds. */
export function pluginHooks(): { description: string; hooks: Record<string, Group[]> } {
  return {
    description: 'Touchstone: a claim of success needs evidence for the tree it is made about.',
    hooks: hookTable(PLUGIN_LAUNCHER),
  };
}

const OWN_PATH = /(?:^|[\\/])dist[\\/]hooks[\\/]([a-z-]+)\.cjs$/;

/** The bundle of ours that a handler found in a settings file runs, whatever place it was installed in. */
export function ownName(handler: unknown): string | undefined {
  if (typeof handler !== 'object' || handler === null) return undefined;
  const { type, args } = handler as { type?: unknown; args?: unknown };
  if (type !== 'command' || !Array.isArray(args) || args.length !== 1 || typeof args[0] !== 'string') return undefined;
  const name = OWN_PATH.exec(args[0])?.[1];
  return HOOKS.some(spec => spec.file === name) ? name : undefined;
}

/** The same, where it stands under its own event. */
export function ownSpec(event: string, handler: unknown): HookSpec | undefined {
  const name = ownName(handler);
  return name === undefined ? undefined : HOOKS.find(spec => spec.event === event && spec.file === name);
}
