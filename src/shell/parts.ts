import type { Reading } from './effect.ts';
import type { Parts } from './machine.ts';
import type { ShellContext } from './port.ts';

/** In a bundle `require` is there and each call names a file of its own; unbundled, as in tests, one has to be made. */
function load<T extends object>(bundled: () => T, file: string): T {
  try {
    const part =
      typeof require === 'function'
        ? bundled()
        : (process.getBuiltinModule('node:module').createRequire(import.meta.url)(file) as T);
    if (Object.keys(part).length === 0) throw new Error(`${file} of the shell reader is empty`);
    return part;
  } catch (error) {
    broken = error;
    throw error;
  }
}

let broken: unknown;
/** A part that cannot be loaded is a fault of ours: it must not pass for text that nobody could read. */
export function demandWhole(): void {
  if (broken !== undefined) throw broken;
}

export const parts: Parts = {
  grammar: () => load(() => require('unbash') as typeof import('unbash'), 'unbash'),
  git: () => load(() => require('./git.ts') as typeof import('./git.ts'), './git.ts'),
  edit: () => load(() => require('./stream-edit.ts') as typeof import('./stream-edit.ts'), './stream-edit.ts'),
  interpreters: () =>
    load(() => require('./interpreters.ts') as typeof import('./interpreters.ts'), './interpreters.ts'),
  code: () => load(() => require('./code.ts') as typeof import('./code.ts'), './code.ts'),
  packages: () => load(() => require('./packages.ts') as typeof import('./packages.ts'), './packages.ts'),
  far: () => load(() => require('./far.ts') as typeof import('./far.ts'), './far.ts'),
};

export const readPowershell = (command: string, ctx: ShellContext): Reading =>
  load(() => require('./powershell.ts') as typeof import('./powershell.ts'), './powershell.ts').readPowershell(
    command,
    ctx,
  );
