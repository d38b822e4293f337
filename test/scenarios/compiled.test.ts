/** Touchstone moved, or met by another node: its hooks find no compiled form until `init` or `doctor --fix` keeps one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DIST, REPO, redProject } from './world.ts';

/** Prints the files that a hook compiled anew, at its end. */
const WATCH = `const vm = require('node:vm');
const anew = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    if (options?.filename && this.cachedDataRejected !== false) anew.push(require('node:path').basename(options.filename));
  }
};
process.on('exit', () => require('node:fs').writeSync(1, anew.join(' ')));
`;

function moved(top: string) {
  const place = join(top, 'another place');
  cpSync(DIST, join(place, 'dist'), { recursive: true });
  cpSync(join(REPO, 'package.json'), join(place, 'package.json'));
  cpSync(join(REPO, '.claude/skills'), join(place, '.claude/skills'), { recursive: true });
  const watch = join(top, 'watch.cjs');
  writeFileSync(watch, WATCH);
  return {
    dist: join(place, 'dist'),
    cli: (root: string, ...args: string[]) =>
      spawnSync(process.execPath, [join(place, 'dist/cli.cjs'), ...args], {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: top },
        encoding: 'utf8',
      }).stdout,
    anew: (root: string, hook: string, tool_name: string, tool_input: object) =>
      spawnSync(process.execPath, ['--require', watch, join(place, 'dist/hooks', `${hook}.cjs`)], {
        input: JSON.stringify({ session_id: 'S', cwd: root, tool_name, tool_input }),
        encoding: 'utf8',
      }).stdout,
  };
}

test('init keeps a compiled form of what hooks load, and doctor --fix keeps it again', () => {
  using w = redProject();
  const { dist, cli, anew } = moved(w.top);
  const write = { file_path: join(w.root, 'a.js'), content: 'x' };
  const command = { command: 'for f in a b; do node --check $f; done' };
  assert.equal(anew(w.root, 'pre-tool-use', 'Write', write), 'pre-tool-use.cjs');
  assert.equal(anew(w.root, 'pre-tool-use', 'Bash', command), 'pre-tool-use.cjs shell.cjs interpreters.cjs');
  cli(w.root, 'init', '--scope', 'local');
  assert.equal(anew(w.root, 'pre-tool-use', 'Write', write), '');
  assert.equal(anew(w.root, 'pre-tool-use', 'Bash', command), '');
  assert.equal(anew(w.root, 'post-tool-use', 'Write', write), '');
  assert.match(cli(w.root, 'doctor'), /^ok {4}compiled /m);
  writeFileSync(join(dist, 'shell.cjs.pack'), 'what an interrupted copy left');
  assert.match(
    cli(w.root, 'doctor'),
    /^warn {2}compiled {6}.*: shell\.cjs has no compiled form .*\n {20}-> touchstone doctor --fix$/m,
  );
  cli(w.root, 'doctor', '--fix');
  assert.equal(anew(w.root, 'pre-tool-use', 'Bash', command), '');
  assert.deepEqual(
    readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.tmp')),
    [],
  );
});

test('where it cannot be kept, init wires and says so', () => {
  using w = redProject();
  const { dist, cli, anew } = moved(w.top);
  rmSync(join(dist, 'shell.cjs.pack'));
  mkdirSync(join(dist, 'shell.cjs.pack/in the way'), { recursive: true });
  assert.match(cli(w.root, 'init', '--scope', 'local'), /^note: hooks start slower/m);
  assert.match(cli(w.root, 'doctor'), /^ok {4}hooks-fire /m);
  assert.equal(anew(w.root, 'pre-tool-use', 'Bash', { command: 'x=$(a) | b' }).includes('shell.cjs'), true);
});
