import { git } from '../../repo/git.ts';
import { locate } from '../../repo/locate.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** `process.getBuiltinModule`, which every hook uses, came with 20.16. */
const LEAST = [20, 16] as const;

export const node: Check = {
  name: 'node',
  run({ nodeVersion, node: path }) {
    const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
    const enough = major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
    const line = `node ${nodeVersion} at ${path}`;
    return [
      enough ? ok(line) : fail(`${line} is too old`, `install node ${LEAST.join('.')} or newer, then run init again`),
    ];
  },
};

export const gitTool: Check = {
  name: 'git',
  run({ root }) {
    const version = git(['--version'], { cwd: root });
    if (!version.ok) return [fail('git cannot be run', 'install git and put it on PATH')];
    const found = version.stdout.toString().trim();
    if (locate(root).kind === 'none') {
      return [warn(`${found}; ${root} is in no repository, so no verdict can be tied to a tree`, 'run git init')];
    }
    return [ok(found)];
  },
};
