/** What a hook loads only on need: sibling files of dist/, required by path. */
import { join } from 'node:path';
import { isPlain, readPlain } from '../src/shell/plain.ts';
import type { Loaders } from '../src/view.ts';

type Engine = typeof import('../src/engine.ts');
type Shell = typeof import('../src/shell/index.ts');

export const engine = (): Engine => require(join(__dirname, '..', 'engine.cjs')) as Engine;

export const loaders: Loaders = {
  shell: () => require(join(__dirname, '..', 'shell.cjs')) as Shell,
  plain: (command, cwd, root) => (isPlain(command) ? readPlain(command, { cwd, root }) : null),
  engine,
};
