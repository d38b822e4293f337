/** What a hook loads only on need. The bundler turns these calls into sibling files of dist/. */
import { readPlain } from './shell/plain.ts';
import type { Loaders } from './view.ts';

export const engine = () => require('./engine.ts') as typeof import('./engine.ts');
export const held = () => require('./held.ts') as typeof import('./held.ts');
export const watch = () => require('./watch.ts') as typeof import('./watch.ts');
export const suite = () => require('./suite.ts') as typeof import('./suite.ts');

export const loaders: Loaders = {
  shell: () => require('./shell/index.ts') as typeof import('./shell/index.ts'),
  plain: (command, cwd) => readPlain(command, { cwd }),
  engine,
  oracle: () => require('./oracle.ts') as typeof import('./oracle.ts'),
  rules: () => require('./rules.ts') as typeof import('./rules.ts'),
};
