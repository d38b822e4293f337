/**
 * Stands in front of every hook bundle (build.mjs): `sibling('../shell.cjs')` loads a file of dist as a script, once, and so
 * does what it requires in turn. Node's own `require` costs a hook more for three files than compiling them.
 *
 * Beside a file may lie a pack of it: its source and the engine's compiled form of that, both twice. It serves only the very
 * node program that made it, only while the file is the one it was made from, and only where the two copies agree, because
 * the engine takes a damaged one at its word and dies. Whatever is wrong with a pack, the file itself is read.
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

function script(filename) {
  const { Script } = require('node:vm');
  try {
    const pack = fs.readFileSync(`${filename}.pack`);
    const head = pack.indexOf('\n') + 1;
    const [key, length] = pack.toString('latin1', 0, head).split('|');
    const stamps = [process.execPath, filename].map(name => {
      const { size, mtimeMs } = fs.statSync(name);
      return `${size}/${mtimeMs}`;
    });
    const half = (pack.length - head) / 2;
    const whole = pack.subarray(head, head + half);
    if (key === `${process.version} ${process.arch} ${stamps}` && whole.equals(pack.subarray(head + half)))
      return new Script(whole.toString('latin1', 0, +length), { filename, cachedData: whole.subarray(+length) });
  } catch {}
  return new Script(`(function(exports,require,module,__filename,__dirname){${fs.readFileSync(filename, 'utf8')}\n})`, {
    filename,
  });
}

// biome-ignore lint/correctness/noUnusedVariables: what the bundle behind it uses
const sibling = from(__dirname);
