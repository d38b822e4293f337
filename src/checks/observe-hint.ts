/** Could this call be a run of the suite or of a check? Asked after every call, so answered from the words alone. */
import type { Project } from '../config/project.ts';
import { isRecord } from '../config/project.ts';
import type { Event } from '../event.ts';
import { simpleWords, spellings } from './spelling.ts';

/** Another language, a watcher that outlives its call, a server whose answers have no known form. */
const NO_SHELL = /^(?:PowerShell$|Monitor$|mcp__)/;
const MANAGER_TEST = /\b(?:npm|pnpm|yarn|bun)\b[^\n;&|]*\b(?:test|tst|t)\b/;
const SPLIT = /&&|\|\|?|[;\n]/;

export function mayBeRun(event: Event, root: string, project: Project): boolean {
  const command = event.call?.command;
  if (command === undefined || event.result === undefined || NO_SHELL.test(event.call?.tool ?? '')) return false;
  return commandsOf(project).some(parts => parts.some(part => mentions(command, part, root)));
}

/** Suite and checks, each as its simple commands. */
function commandsOf(project: Project): string[][][] {
  const found: string[][][] = [];
  const suite = project.test.cmd
    .split(SPLIT)
    .map(part => simpleWords(part.trim()) ?? part.trim().split(/\s+/))
    .filter(words => words[0] !== '' && words[0] !== 'cd');
  if (suite.length > 0) found.push(suite);
  const { checks, commands } = project.raw;
  for (const check of Array.isArray(checks) ? checks : []) {
    const given = isRecord(check) ? check.command : undefined;
    const named = typeof given === 'string' && isRecord(commands) ? commands[given] : given;
    const argv = isRecord(named) ? named.argv : named;
    if (Array.isArray(argv)) found.push([argv.map(String)]);
  }
  return found;
}

/** Every word of one of its spellings stands in the text. */
function mentions(text: string, argv: readonly string[], root: string): boolean {
  for (const form of spellings(argv, root)) {
    const words = JSON.parse(form) as string[];
    if (words[0] === 'script') {
      if (words[2] === 'test' ? MANAGER_TEST.test(text) : text.includes(words[2]!)) return true;
    } else if (words.slice(1).every(word => text.includes(word))) return true;
  }
  return false;
}
