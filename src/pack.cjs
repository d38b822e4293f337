/**
 * Keeps the compiled form of what hooks load, for the node that runs this, beside the files of its own folder, dist/ (what may
 * use it: sibling-loader.cjs). Run by the build and by `touchstone init`: `node pack.cjs [--all]` makes what is missing or
 * out of date, or everything. `require` gives `stale()`: the files without a pack that would serve.
 */
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { basename, dirname, join, relative } = require('node:path');
const { Script } = require('node:vm');

/** Each is a text that starts from its pack (`start` in sibling-loader.cjs), and the event it is started for. */
const BODIES = new Map([
  [join(__dirname, 'hooks/pre-tool-use.cjs'), 'PreToolUse'],
  [join(__dirname, 'hooks/post-tool-use.cjs'), 'PostToolUse'],
]);
const READER = join(__dirname, 'shell.cjs');
/** The command line, and what loads its parts. */
const LOADED_ELSE = ['cli.cjs', 'suite.cjs', 'pack.cjs'];

/** What the shell reader is put through before it is packed: what it has not compiled by then is no part of a pack. */
const EVERYDAY = [
  'for f in src/*.ts; do cat "$f" | grep -n x && echo "$f" || (echo bad | tee log.txt; false); done',
  'x=$(git rev-parse HEAD); cd src && npm run build 2>&1 | tail -5; echo "$x" > out.txt',
];
/** And what its parts are put through: they are loaded for less common commands. */
const RARER = [
  'if [ -f a ]; then rm -f a; else x=$(git rev-parse HEAD); echo "${x:-none}" > out.txt; fi',
  'cat > a.md <<EOF\nhi $x\nEOF\nsed -n 1,20p a.md | head -3 && git commit -qm "a b" -- a.md',
  'export A=1; while read -r l; do mv "$l" b; done < list',
  `python3 -c 'open("a","w").write("x")' && node -e "fs.writeFileSync('a','')" && find . -name '*.tmp' -delete`,
];

const packOf = path => `${path}${BODIES.has(path) ? '.body' : ''}.pack`;

function siblings() {
  const within = folder => {
    const names = fs.readdirSync(folder).filter(name => name.endsWith('.cjs') && !LOADED_ELSE.includes(name));
    return names.map(name => join(folder, name));
  };
  return [...within(__dirname), ...within(join(__dirname, 'shell'))].filter(
    // Packed as Latin-1.
    path => !/[^\x00-\x7f]/.test(fs.readFileSync(path, 'utf8')),
  );
}

/** Bound to this node, and to the file as it lies there. */
function keyOf(path) {
  const [node, file] = [process.execPath, path].map(name => fs.statSync(name));
  return `${process.version} ${process.arch} ${node.size}/${node.mtimeMs} ${file.size}/${file.mtimeMs} `;
}

function serves(path) {
  try {
    const [file, made] = [path, packOf(path)].map(name => fs.statSync(name));
    const start = `${keyOf(path)}${1e10 + made.size} `;
    const handle = fs.openSync(packOf(path));
    const head = Buffer.alloc(start.length);
    fs.readSync(handle, head);
    fs.closeSync(handle);
    return Math.abs(made.mtimeMs - file.mtimeMs) < 2 && head.toString('latin1') === start;
  } catch {
    return false;
  }
}

function stale() {
  return [...siblings(), ...BODIES.keys()].filter(path => !serves(path)).map(path => relative(__dirname, path));
}

/** `source` is empty where it stands in the file itself. */
function keep(path, source, code) {
  const key = keyOf(path);
  // The head names the size of the whole, and where the compiled form begins: two numbers of eleven digits.
  const head = key.length + 24;
  const numbers = [head + source.length + code.length, head + source.length].map(n => 1e10 + n);
  const pack = packOf(path);
  const temp = `${pack}.${process.pid}.tmp`;
  try {
    const handle = fs.openSync(temp, 'w');
    fs.writeFileSync(handle, Buffer.concat([Buffer.from(`${key}${numbers.join(' ')}\n${source}`, 'latin1'), code]));
    fs.fsyncSync(handle);
    fs.closeSync(handle);
    const file = fs.statSync(path);
    fs.utimesSync(temp, file.atimeMs / 1000, file.mtimeMs / 1000);
    fs.renameSync(temp, pack);
  } catch (error) {
    fs.rmSync(temp, { force: true });
    throw error;
  }
}

function packSiblings(paths) {
  const scripts = new Map();
  const loaded = new Map();
  const load = path => {
    if (!loaded.has(path)) {
      const module = { exports: {} };
      loaded.set(path, module);
      const source = `(function(exports,require,module,__filename,__dirname){${fs.readFileSync(path, 'utf8')}\n})`;
      const script = new Script(source, { filename: path });
      scripts.set(path, { script, source });
      const inside = name => (name[0] === '.' ? load(join(dirname(path), name)) : createRequire(path)(name));
      script.runInThisContext()(module.exports, inside, module, path, dirname(path));
    }
    return loaded.get(path).exports;
  };
  for (const path of paths) load(path);
  const read = samples => {
    for (const sample of samples)
      load(READER).readCommand(sample, { cwd: __dirname, root: __dirname, home: '/home/nobody', env: {} });
  };
  const pack = path => keep(path, scripts.get(path).source, scripts.get(path).script.createCachedData());
  read(EVERYDAY);
  if (paths.includes(READER)) pack(READER);
  read(RARER);
  for (const path of paths) if (path !== READER) pack(path);
}

/** In a process of its own, where a hook's way of reading and ending can be put out of action. */
function packBody(path) {
  const project = fs.mkdtempSync(join(tmpdir(), 'touchstone-pack-'));
  try {
    const ran = spawnSync(process.execPath, [__filename, '--body', path, project], { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`${basename(path)} does not run: ${ran.stderr}`);
    keep(path, '', fs.readFileSync(join(project, 'code')));
  } finally {
    fs.rmSync(project, { recursive: true, force: true });
  }
}

function warmUp(hook, root) {
  const script = new Script(bodyOf(hook), { filename: hook });
  const file = join(root, 'src', 'a.js');
  const state = join(root, '.claude', 'state');
  fs.mkdirSync(join(state, 'runs', 'R'), { recursive: true });
  fs.mkdirSync(join(state, 'open-runs'));
  fs.mkdirSync(dirname(file));
  fs.writeFileSync(join(state, 'open-runs', 'S.json'), '{"run":"R","session":"S"}');
  fs.writeFileSync(join(root, '.claude', 'project.json'), '{"test":{"cmd":"exit 1"}}\n');
  fs.writeFileSync(file, 'export const a = 1;\n');
  const calls = [
    ['Write', { file_path: file, content: 'export const a = 2;\n' }],
    ['Edit', { file_path: file, old_string: 'a = 1', new_string: 'a = 2' }],
    ['Bash', { command: 'git status --short' }],
    ['Bash', { command: 'for f in src/*.js; do node --check "$f" || (echo bad | tee log.txt); done' }],
  ];
  const sibling = name => (name[0] === '.' ? require(join(dirname(hook), name)) : require(name));
  const { exit } = process;
  process.exit = () => {};
  const common = { session_id: 'S', cwd: root, hook_event_name: BODIES.get(hook), tool_response: { stdout: 'ok' } };
  for (const [tool_name, tool_input] of calls) {
    let payload = Buffer.from(JSON.stringify({ ...common, tool_name, tool_input }));
    fs.readvSync = (_, [buffer]) => {
      const size = payload.copy(buffer);
      payload = payload.subarray(size);
      return size;
    };
    script.runInThisContext()({}, require, {}, hook, dirname(hook), sibling);
  }
  // A hook that answers later than at once has done so by then.
  setImmediate(() => {
    fs.writeFileSync(join(root, 'code'), script.createCachedData());
    exit();
  });
}

/** The text that a hook hands to `start`, at the end of its one line. */
function bodyOf(hook) {
  const text = fs.readFileSync(hook, 'utf8');
  return new Script(text.slice(text.lastIndexOf("('(function(") + 1, text.lastIndexOf(')'))).runInThisContext();
}

exports.stale = stale;

if (require.main === module) {
  const [how, hook, folder] = process.argv.slice(2);
  if (how === '--body') warmUp(hook, folder);
  else {
    const paths = how === '--all' ? [...siblings(), ...BODIES.keys()] : stale().map(name => join(__dirname, name));
    packSiblings(paths.filter(path => !BODIES.has(path)));
    for (const path of paths) if (BODIES.has(path)) packBody(path);
  }
}
