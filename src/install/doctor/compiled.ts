import { dirname } from 'node:path';
import { keepCompiled, notCompiled, writable } from '../compiled.ts';
import { type Check, type Context, ok, type Result, warn } from './check.ts';
import { wiredScripts } from './files.ts';

/** Another node, or another place of the same files, and every hook compiles itself anew at each start. */
export const compiled: Check = {
  name: 'compiled',
  run(ctx) {
    const folders = [...new Set(wiredScripts(ctx).map(script => dirname(dirname(script))))];
    const found = folders.flatMap(folder => without(folder, ctx));
    return found.length > 0 ? found : [ok(`hooks start from their compiled form for node ${ctx.nodeVersion}`)];
  },
};

function without(folder: string, { nodeVersion }: Context): Result[] {
  const missing = notCompiled(folder);
  if (missing.length === 0) return [];
  const which = missing.length === 1 ? `${missing[0]} has` : `${missing[0]} and ${missing.length - 1} more have`;
  const line = `${folder}: ${which} no compiled form for node ${nodeVersion}: hooks start slower`;
  if (!writable(folder)) return [warn(line, `run touchstone init once as a user who may write to ${folder}`)];
  return [warn(line, 'touchstone doctor --fix', () => keepCompiled(folder))];
}
