/** Programs an agent has no business to start: the hooks' own scripts, and an agent whose hooks are off. */
import type { Invocation } from '../shell/effect.ts';
import type { View } from './guard.ts';

const INTERPRETER = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|ba?sh|sh|zsh|dash|ksh|source|\.)$/;
const VALUED = /^(?:-r|--require|--import|--loader|-m|--conditions|-C)$/;

/** What the refusal says, or null. */
export function byHand(view: View): string | null {
  for (const invocation of view.reading()?.invocations ?? []) {
    const why =
      hookScript(invocation, view) ??
      (invocation.argv.some(word => word.includes('claude')) ? view.rules().nestedAgent(invocation, view) : null);
    if (why !== null) return why;
  }
  return null;
}

function hookScript({ argv, cwd }: Invocation, view: View): string | null {
  const script = scriptOf(argv);
  if (script === null) return null;
  const at = view.locate(script.startsWith('/') || script.startsWith('~') ? script : `${cwd}/${script}`);
  const inHooks = [at.rel, at.realRel].some(rel => rel?.startsWith('.claude/hooks/'));
  const wired = inHooks || view.hookScripts().some(path => path === at.abs || path === at.real);
  return wired ? `${script} is a hook's script: the client runs it, nobody by hand` : null;
}

/** The file a command line executes: the program itself where it is a path, else an interpreter's first operand. */
function scriptOf(argv: readonly string[]): string | null {
  const [program = '', ...args] = argv;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (!INTERPRETER.test(name)) return program.includes('/') ? program : null;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (/^-(?:c|e|p|pe|ne|-eval|-print)$/.test(arg)) return requiredIn(args[i + 1] ?? '');
    if (VALUED.test(arg)) {
      if (/^(?:-r|--require|--import)$/.test(arg) && /^[./]/.test(args[i + 1] ?? '')) return args[i + 1]!;
      i++;
    } else if (!arg.startsWith('-') && arg !== 'run') return arg;
  }
  return null;
}

/** Inline code that loads a script runs it. */
function requiredIn(code: string): string | null {
  return (
    /\b(?:require|import|load|source|exec|runpy\.run_path)\b[\s('"`]*((?:\.{0,2}\/|\.claude\/)[^'"`)\s]+)/.exec(
      code,
    )?.[1] ?? null
  );
}
