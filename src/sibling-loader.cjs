/**
 * Stands in front of every hook bundle (build.mjs): `sibling('../shell.cjs')` loads a file of dist as a script, once, and so
 * does what it requires in turn. Node's own `require` costs a hook more for three files than compiling them.
 *
 * Beside a file may lie a pack of it: its source and the engine's compiled form of that. For the hook's own body, which is
 * text in the hook (`start`), it is the compiled form alone. A pack serves only the very node program that made it, only
 * while the file is the one it was made from, and only while its own time is the file's, which whatever writes to it ends: the
 * engine takes a damaged one at its word and dies. Whatever is wrong with a pack, the file is read.
 */
const fs = require('node:fs');
const path = require('node:path');

const loaded = new Map();
const from = folder => name => (name[0] === '.' ? load(path.join(folder, name)) : require(name));

function load(file) {
  let made = loaded.get(file);
  if (!made) {
    made = { exports: {} };
    const folder = path.dirname(file);
    script(file).runInThisContext()(made.exports, from(folder), made, file, folder);
    // Only what ran to its end: a broken file says what is wrong with it whenever it is asked for.
    loaded.set(file, made);
  }
  return made.exports;
}

function script(filename, body) {
  const { Script } = require('node:vm');
  try {
    const pack = `${filename}${body ? '.body' : ''}.pack`;
    const [node, file, made] = [process.execPath, filename, pack].map(name => fs.statSync(name));
    const key = `${process.version} ${process.arch} ${node.size}/${node.mtimeMs} ${file.size}/${file.mtimeMs} ${1e10 + made.size} `;
    if (Math.abs(made.mtimeMs - file.mtimeMs) < 2) {
      const whole = fs.readFileSync(pack);
      const head = whole.indexOf('\n') + 1;
      const code = whole.latin1Slice(key.length, head) - 1e10;
      if (whole.latin1Slice(0, key.length) === key && code >= head && code < whole.length)
        return new Script(body || whole.latin1Slice(head, code), { filename, cachedData: whole.subarray(code) });
    }
  } catch {}
  return new Script(
    body || `(function(exports,require,module,__filename,__dirname){${fs.readFileSync(filename, 'utf8')}\n})`,
    { filename },
  );
}

const sibling = from(__dirname);

/** The hook itself, as text: to compile it in the ordinary way costs more than all it then does. */
// biome-ignore lint/correctness/noUnusedVariables: how the build puts the bundle behind it
function start(body) {
  script(__filename, body).runInThisContext()(exports, require, module, __filename, __dirname, sibling);
}
