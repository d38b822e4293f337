import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Check, type Context, fail, ok, type Result } from './check.ts';
import { wiredHandlers } from './wiring.ts';

/** What a bundle loads on need, as the bundler writes it. */
const SIBLING = /\(\s*(["'`])(\.{1,2}\/[\w./-]+\.cjs)\1/g;

/**
 * The wired scripts and what they load later. A hook whose sibling is gone answers every payload of the other checks and
 * then refuses each command, or fails at a turn's end, where the client takes a failure for consent.
 */
export const hookFiles: Check = {
  name: 'files',
  run(ctx) {
    const entries = wiredScripts(ctx);
    const found: Result[] = [];
    const seen = new Set<string>(entries);
    for (const file of entries) {
      if (existsSync(file)) follow(file, seen, found);
      else found.push(damaged(`${file} is missing`));
    }
    return found.length > 0 ? found : [ok(`${seen.size} files that the hooks run or load are there and whole`)];
  },
};

function follow(file: string, seen: Set<string>, found: Result[]): void {
  for (const [, , name] of readFileSync(file, 'utf8').matchAll(SIBLING)) {
    const next = join(dirname(file), name!);
    if (seen.has(next)) continue;
    seen.add(next);
    const wrong = fault(next);
    if (wrong) found.push(damaged(`${wrong}; ${file} loads it`));
    else follow(next, seen, found);
  }
}

function fault(file: string): string | null {
  const { Script } = process.getBuiltinModule('node:vm');
  if (!existsSync(file)) return `${file} is missing`;
  try {
    new Script(`(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`);
    return null;
  } catch (error) {
    return `${file} is damaged (${(error as Error).message.split('\n')[0]})`;
  }
}

function damaged(line: string): Result {
  return fail(line, 'install Touchstone again, then run touchstone init');
}

export function wiredScripts(ctx: Context): string[] {
  const named = wiredHandlers(ctx).map(({ handler }) => handler.args[0] ?? '');
  return [...new Set(named.map(arg => arg.replaceAll('${CLAUDE_PROJECT_DIR}', ctx.root)))];
}
