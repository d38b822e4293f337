// Builds dist/, all of it CommonJS: what an agent starts at every tool call, and the command line in parts.
//
//   dist/hooks/<event>.cjs   one bundle per hooks/<event>.ts
//   dist/shell.cjs           the shell reader, loaded by a hook only when a command needs it; what it needs for some
//                            commands only lies in dist/shell/, the grammar in dist/parser.cjs
//   dist/rules.cjs           how a hook judges settings, runner configuration and test texts, when a call touches one
//   dist/engine.cjs          what a hook loads to keep session state and to judge deliveries
//   dist/oracle.cjs          how a hook asks git what a command would change
//   dist/suite.cjs           what a hook loads to run or read the suite
//   dist/held.cjs            how a hook compares the frozen set with the kept bytes
//   dist/watch.cjs           what a hook loads to see what a call changed behind the guards' back
//   dist/pack.cjs            keeps the compiled form of all that for the node at hand
//   dist/cli.cjs             the command line; its commands lie in dist/chunks and load when asked for
//
// A hook that writes `await import('../src/shell/index.ts')` (or src/engine.ts) gets `require('../shell.cjs')`: the same
// source runs unbundled under tsx and as a bundle, and the parser stays out of the hook's own file.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const ROOT = dirname(fileURLToPath(import.meta.url));
const DIST = join(ROOT, 'dist');
const KB = 1000;
const BUDGET = { 'hooks/pre-tool-use.cjs': 48 * KB, 'parser.cjs': 120 * KB };
const HOOK_BUDGET = 64 * KB;
/** shell.cjs with the chunks it loads at once. */
const SHELL_BUDGET = 64 * KB;

const SIBLINGS = new Map([
  [join(ROOT, 'src/shell/index.ts'), 'shell.cjs'],
  [join(ROOT, 'src/engine.ts'), 'engine.cjs'],
  [join(ROOT, 'src/oracle.ts'), 'oracle.cjs'],
  [join(ROOT, 'src/held.ts'), 'held.cjs'],
  [join(ROOT, 'src/rules.ts'), 'rules.cjs'],
  [join(ROOT, 'src/suite.ts'), 'suite.cjs'],
  [join(ROOT, 'src/watch.ts'), 'watch.cjs'],
  [join(ROOT, 'hooks/post-tool-use.ts'), 'hooks/post-tool-use.cjs'],
]);

const META_URL = '__importMetaUrl';

const common = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  // Words of a dozen languages stand in the claim reader: escaped they would take three times the room (see `inOneByte`).
  charset: 'utf8',
  metafile: true,
  write: false,
  logLevel: 'warning',
};

/** Imports made on need of a module that has a file of its own in dist stay out of the bundle. */
function siblings(outDir) {
  return {
    name: 'siblings',
    setup(b) {
      b.onResolve({ filter: /^\.\.?\// }, args => {
        if (args.kind !== 'dynamic-import' && args.kind !== 'require-call') return;
        const file = SIBLINGS.get(resolve(args.resolveDir, args.path));
        if (!file) return;
        const path = relative(outDir, join(DIST, file)).split(sep).join('/');
        return { path: path.startsWith('.') ? path : `./${path}`, external: true };
      });
    },
  };
}

/** `debug` looks for this one inside try/catch and does without. */
const optional = {
  name: 'optional',
  setup(b) {
    b.onResolve({ filter: /^supports-color$/ }, () => ({ path: 'supports-color', namespace: 'absent' }));
    b.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = null;' }));
  },
};

/** zod brings its messages in fifty languages along; ours are English. */
const english = {
  name: 'english',
  setup(b) {
    b.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

function withMetaUrl(text) {
  if (!text.includes(META_URL)) return text;
  return `"use strict";const ${META_URL}=require("node:url").pathToFileURL(__filename).href;${text}`;
}

/** A file with one character that is no ASCII takes node twice the memory and more time to read: few are escaped. */
async function inOneByte(text) {
  const others = text.match(/[^\x00-\x7f]/g)?.length ?? 0;
  if (others === 0 || others > text.length / 50) return text;
  return (await transform(text, { platform: 'node', target: 'node20', minify: true, charset: 'ascii' })).code;
}

const LOADER = readFileSync(join(ROOT, 'src/sibling-loader.cjs'), 'utf8');
// The bundle behind it has names of its own.
const loaderThat = async giving =>
  (await transform(`(()=>{${LOADER}${giving}})()`, { minify: true, target: 'node20' })).code.replace(/;?\n$/, '');
const OWN_LOADER = `const __s=${await loaderThat('return sibling')};`;
const STARTER = await loaderThat('return start');

function withOwnLoader(text) {
  const own = text.replace(/\brequire\("(\.\.\/[\w-]+\.cjs)"\)/g, '__s("$1")');
  return own === text ? text : own.replace(/^"use strict";/, `"use strict";${OWN_LOADER}`);
}

/** Hooks that every tool call starts: each is a text that starts from its compiled form (src/pack.cjs). */
const EVERY_CALL = ['hooks/pre-tool-use.cjs', 'hooks/post-tool-use.cjs'];

function asText(text) {
  const own = text.replace(/\brequire\("(\.\.\/[\w-]+\.cjs)"\)/g, '__s("$1")').trimEnd();
  const body = `(function(exports,require,module,__filename,__dirname,__s){${own}\n})`;
  const quoted = body.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"use strict";${STARTER}('${quoted}');\n`;
}

async function cjs(entry, outfile) {
  const result = await build({
    ...common,
    entryPoints: [entry],
    outfile,
    format: 'cjs',
    // `import()` in a CommonJS file starts node's ESM loader; `require` does not.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': META_URL, 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    plugins: [siblings(dirname(outfile)), english],
  });
  let text = withMetaUrl(await inOneByte(result.outputFiles[0].text));
  if (EVERY_CALL.includes(inDist(outfile))) text = asText(text);
  else if (isHook(outfile)) text = withOwnLoader(text);
  const outputs = Object.values(result.metafile.outputs);
  const outside = outputs.flatMap(o => o.imports.filter(i => i.external).map(i => i.path));
  return { files: [{ path: outfile, text }], outside };
}

/**
 * The shell reader: one file, and one for each part that it loads on need (`require('./x.ts')` in it is the mark of a part).
 * What parts share with the main file they take from it, so that every module exists once.
 */
async function shell(entry) {
  const dir = dirname(entry);
  const parts = new Map();
  for (const file of readdirSync(dir).filter(name => name.endsWith('.ts'))) {
    for (const [, name] of readFileSync(join(dir, file), 'utf8').matchAll(/\brequire\('\.\/([\w-]+)\.ts'\)/g))
      parts.set(join(dir, `${name}.ts`), join(DIST, 'shell', `${name}.cjs`));
  }
  const main = join(DIST, 'shell.cjs');
  const bundled = (outfile, input, plugins = []) =>
    build({
      ...common,
      ...input,
      outfile,
      format: 'cjs',
      charset: 'ascii',
      // Asked for only where nothing is bundled.
      define: { 'import.meta.url': '""' },
      plugins: [...plugins, loadedOnNeed(parts, outfile), tablesAsText],
    });
  const probe = await bundled(main, { entryPoints: [entry] });
  const inMain = new Set(Object.keys(probe.metafile.inputs).map(path => join(ROOT, path)));
  const shared = new Set();
  const built = await Promise.all(
    [...parts].map(([path, out]) => bundled(out, { entryPoints: [path] }, [takenFromMain(inMain, shared, out)])),
  );
  const lends = [...shared].sort().map((path, i) => {
    const names = exportedBy(path);
    return {
      imported: `import { ${names.map(n => `${n} as ${n}_${i}`).join(', ')} } from ${JSON.stringify(path)};`,
      lent: `${JSON.stringify(basename(path))}: () => ({ ${names.map(n => `${n}: ${n}_${i}`).join(', ')} })`,
    };
  });
  const contents = `export * from ${JSON.stringify(entry)};
    ${lends.map(l => l.imported).join('\n')}
    export const lent = { ${lends.map(l => l.lent).join(', ')} };`;
  const whole = await bundled(main, { stdin: { contents, resolveDir: dir, loader: 'ts' } });
  const results = [whole, ...built];
  return {
    files: results.map(r => ({ path: r.outputFiles[0].path, text: r.outputFiles[0].text })),
    outside: results.flatMap(r =>
      Object.values(r.metafile.outputs).flatMap(o =>
        // From where the main file lies, as all paths that are looked after.
        o.imports.filter(i => i.external).map(i => (isBuiltin(i.path) ? i.path : `./${i.path.replace(/^[./]+/, '')}`)),
      ),
    ),
    atOnce: Buffer.byteLength(whole.outputFiles[0].text),
  };
}

const pathFrom = (outfile, to) => {
  const path = relative(dirname(outfile), to).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
};

const loadedOnNeed = (parts, outfile) => ({
  name: 'loaded-on-need',
  setup(b) {
    b.onResolve({ filter: /^unbash$/ }, () => ({ path: pathFrom(outfile, join(DIST, 'parser.cjs')), external: true }));
    b.onResolve({ filter: /^\.\// }, args => {
      const out = args.kind === 'require-call' ? parts.get(resolve(args.resolveDir, args.path)) : undefined;
      return out && { path: pathFrom(outfile, out), external: true };
    });
  },
});

const takenFromMain = (inMain, shared, outfile) => ({
  name: 'taken-from-main',
  setup(b) {
    b.onResolve({ filter: /^\.\.?\// }, args => {
      const path = resolve(args.resolveDir, args.path);
      if (args.kind !== 'import-statement' || !inMain.has(path)) return;
      shared.add(path);
      return { path, namespace: 'main' };
    });
    b.onLoad({ filter: /.*/, namespace: 'main' }, ({ path }) => ({
      contents: `export const { ${exportedBy(path).join(', ')} } = require(${JSON.stringify(MAIN)}).lent[${JSON.stringify(basename(path))}]();`,
    }));
    b.onResolve({ filter: new RegExp(`^${MAIN}$`) }, () => ({
      path: pathFrom(outfile, join(DIST, 'shell.cjs')),
      external: true,
    }));
  },
});
const MAIN = 'main:shell';

function exportedBy(path) {
  return [...readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)].map(
    m => m[1],
  );
}

/** A table as text to parse costs less than as code to compile. */
const tablesAsText = {
  name: 'tables-as-text',
  setup(b) {
    b.onLoad({ filter: /[\\/]table[\\/]rows\.ts$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'ts', format: 'esm' });
      const tables = await import(`data:text/javascript,${encodeURIComponent(code)}`);
      const lines = Object.entries(tables).map(
        ([name, table]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(table))});`,
      );
      return { contents: lines.join('\n') };
    });
  },
};

/** The command line loads the hooks' own shell reader instead of carrying a second copy (`imports` in package.json). */
const sharedShell = {
  name: 'shared-shell',
  setup(b) {
    b.onResolve({ filter: /\/shell\/index\.ts$/ }, () => ({ path: '#shell', external: true }));
  },
};

/** commander would start commands that are programs of their own: there are none, and node's module for it loads slowly. */
const noPrograms = {
  name: 'no-programs',
  setup(b) {
    b.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'child_process', namespace: 'absent' } : undefined,
    );
  },
};

const slashed = path => path.split(sep).join('/');

/** What sources load at once, themselves included. */
function closure(inputs, from) {
  const seen = new Set();
  const visit = path => {
    if (seen.has(path) || !inputs[path]) return;
    seen.add(path);
    for (const i of inputs[path].imports) if (i.kind !== 'dynamic-import' && !i.external) visit(i.path);
  };
  from.forEach(visit);
  return seen;
}

/** To read one more file takes node as long as to read this much more of the one at hand. */
const FILE_COST = 4 * KB;

/**
 * esbuild makes a chunk of each set of sources that the same entries share: dozens of small files. Here sets are joined
 * while the reading that all entries do together grows less by it. Who is made to load a source loads what that needs,
 * so that sets are looked at again until they stay.
 */
function joined({ inputs, outputs }, fixed) {
  const size = {};
  for (const output of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs))
      size[path] = (size[path] ?? 0) + bytesInOutput;
  const entries = Object.values(outputs).flatMap(output => output.entryPoint ?? []);
  const may = path => size[path] > 0 && path.startsWith('src/');
  const named = sets => String(sets.map(set => [...set.of, ...set.paths]));
  let sets = [];
  for (let before = null; before !== named(sets); ) {
    before = named(sets);
    const loads = new Map();
    const users = new Map();
    for (const entry of entries) {
      const needs = sets.flatMap(set => (set.of.has(entry) ? set.paths : []));
      loads.set(entry, closure(inputs, [entry, ...needs]));
      for (const path of loads.get(entry)) users.set(path, [...(users.get(path) ?? []), entry]);
    }
    const alike = new Map();
    for (const [path, of] of users) {
      if (!may(path) || of.length < 2 || of.some(fixed)) continue;
      alike.set(of.join(), [...(alike.get(of.join()) ?? []), path]);
    }
    sets = inPairs(
      [...alike].map(([of, paths]) => ({ of: new Set(of.split(',')), paths, all: closure(inputs, paths) })),
      (set, entry) => {
        let more = 0;
        for (const path of set.all) if (!loads.get(entry).has(path)) more += size[path] ?? 0;
        return more;
      },
    );
  }
  return sets;
}

/** The pair that gains most first. `more` is what an entry would have to read that it does not need. */
function inPairs(sets, more) {
  const only = (of, other) => [...of].filter(entry => !other.has(entry));
  for (;;) {
    let best = { gain: 0 };
    for (const [i, a] of sets.entries()) {
      for (const b of sets.slice(i + 1)) {
        const alone = only(a.of, b.of);
        let gain = (a.of.size - alone.length) * FILE_COST;
        for (const entry of gain > best.gain ? alone : []) gain -= more(b, entry);
        for (const entry of gain > best.gain ? only(b.of, a.of) : []) gain -= more(a, entry);
        if (gain > best.gain) best = { gain, a, b };
      }
    }
    if (!best.a) return sets;
    const { a, b } = best;
    const both = {
      of: new Set([...a.of, ...b.of]),
      paths: [...a.paths, ...b.paths],
      all: new Set([...a.all, ...b.all]),
    };
    sets = [...sets.filter(set => set !== a && set !== b), both];
  }
}

/** Makes each set of sources a need of all of its users, so that it becomes one chunk. */
function joining(sets) {
  return {
    name: 'joining',
    setup(b) {
      b.onResolve({ filter: /^set:/ }, ({ path }) => ({ path: path.slice(4), namespace: 'set' }));
      b.onLoad({ filter: /.*/, namespace: 'set' }, ({ path }) => ({
        contents: sets[Number(path)].paths.map(source => `import ${JSON.stringify(`./${source}`)};`).join('\n'),
        resolveDir: ROOT,
      }));
      b.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const own = slashed(relative(ROOT, path));
        const needs = sets.flatMap((set, i) => (set.of.has(own) ? [`import 'set:${i}';`] : []));
        return { loader: 'ts', contents: needs.join('') + readFileSync(path, 'utf8') };
      });
    },
  };
}

/** Split as ES modules, then made CommonJS, which node starts sooner. */
async function cli(entry) {
  const options = {
    ...common,
    entryPoints: { cli: entry, suite: join(ROOT, 'src/suite.ts') },
    outdir: DIST,
    outExtension: { '.js': '.cjs' },
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    define: { 'import.meta.url': META_URL },
  };
  const plugins = [optional, english, sharedShell, noPrograms];
  const { metafile } = await build({ ...options, plugins });
  const main = slashed(relative(ROOT, entry));
  const sets = joined(metafile, path => path === main || !path.startsWith('src/'));
  const result = await build({ ...options, plugins: [...plugins, joining(sets)] });
  const files = await Promise.all(
    result.outputFiles.map(async ({ path, text }) => {
      const { code } = await transform(text, {
        format: 'cjs',
        platform: 'node',
        target: 'node20',
        minify: true,
        charset: 'utf8',
        supported: { 'dynamic-import': false },
      });
      return { path, text: (path === join(DIST, 'cli.cjs') ? START : '') + withMetaUrl(await inOneByte(code)) };
    }),
  );
  // What was called until now: git hooks in projects name it.
  const text = `${START}import{createRequire as r}from"node:module";r(import.meta.url)("./cli.cjs");\n`;
  files.push({ path: join(DIST, 'cli.mjs'), text });
  return {
    files,
    outside: Object.values(result.metafile.outputs).flatMap(o => o.imports.filter(i => i.external).map(i => i.path)),
  };
}

const START = '#!/usr/bin/env node\n';

/** Into place by rename, and only where the bytes differ: hooks of a live session may be starting from here. */
function place({ path, text }) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    mkdirSync(dirname(path), { recursive: true });
    const temp = `${path}.${process.pid}.tmp`;
    writeFileSync(temp, text);
    renameSync(temp, path);
  }
  if (/^cli\.[cm]js$/.test(basename(path))) chmodSync(path, 0o755);
}

function filesUnder(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter(e => e.isFile())
    .map(e => join(e.parentPath ?? e.path, e.name));
}

const inDist = path => relative(DIST, path).split(sep).join('/');
const isChunk = path => path.startsWith(join(DIST, 'chunks') + sep);
const isHook = path => path.startsWith(join(DIST, 'hooks') + sep);

const jobs = [];
for (const name of readdirSync(join(ROOT, 'hooks')).sort()) {
  if (!name.endsWith('.ts')) continue;
  jobs.push(cjs(join(ROOT, 'hooks', name), join(DIST, 'hooks', name.replace(/\.ts$/, '.cjs'))));
}
for (const [entry, file] of SIBLINGS) {
  // A hook is built with the hooks, the suite with the command line.
  if (!existsSync(entry) || file.startsWith('hooks/') || file === 'suite.cjs') continue;
  if (file !== 'shell.cjs') jobs.push(cjs(entry, join(DIST, file)));
  else jobs.push(shell(entry), cjs('unbash', join(DIST, 'parser.cjs')));
}
jobs.push({
  files: [{ path: join(DIST, 'pack.cjs'), text: readFileSync(join(ROOT, 'src/pack.cjs'), 'utf8') }],
  outside: [],
});
const main = join(ROOT, 'src/cli/main.ts');
if (existsSync(main)) jobs.push(cli(main));

const problems = [];
const kept = new Set();
const sizes = [];
let shellSize = 0;
// esbuild has printed what is wrong and where.
const built = await Promise.all(jobs).catch(() => process.exit(1));
for (const { files, outside, atOnce } of built) {
  if (atOnce !== undefined) shellSize = atOnce;
  // What others load is there before they are.
  for (const file of files.toSorted((a, b) => isChunk(b.path) - isChunk(a.path))) {
    place(file);
    kept.add(file.path);
    sizes.push([inDist(file.path), Buffer.byteLength(file.text)]);
  }
  const from = files[0].path;
  for (const path of outside) {
    if (isBuiltin(path) || path === '#shell') continue;
    const target = resolve(dirname(from), path);
    if (/^\.\.?\//.test(path) && target.startsWith(DIST + sep)) continue;
    problems.push(`${inDist(from)} loads ${path}, which is not in dist`);
  }
}
for (const path of filesUnder(DIST)) {
  if (!kept.has(path.replace(/(?:\.body)?\.pack$/, '')) && !path.endsWith('.tmp')) rmSync(path, { force: true });
}

const packing = spawnSync(process.execPath, [join(DIST, 'pack.cjs'), '--all'], { encoding: 'utf8' });
if (packing.status !== 0) problems.push(packing.stderr);

sizes.sort(([a], [b]) => (a < b ? -1 : 1));
let chunks = 0;
for (const [name, bytes] of sizes) {
  if (name.startsWith('chunks/')) {
    chunks += bytes;
    continue;
  }
  const budget = BUDGET[name] ?? (isHook(join(DIST, name)) ? HOOK_BUDGET : undefined);
  console.log(`${(bytes / KB).toFixed(1).padStart(8)} kB  ${name}${budget ? `  (budget ${budget / KB} kB)` : ''}`);
  if (budget && bytes > budget) problems.push(`${name} has ${bytes} bytes, its budget is ${budget}`);
}
if (chunks) console.log(`${(chunks / KB).toFixed(1).padStart(8)} kB  chunks/ (loaded on need)`);
if (shellSize)
  console.log(
    `${(shellSize / KB).toFixed(1).padStart(8)} kB  shell.cjs with what it loads at once  (budget ${SHELL_BUDGET / KB} kB)`,
  );
if (shellSize > SHELL_BUDGET)
  problems.push(`shell.cjs loads ${shellSize} bytes at once, its budget is ${SHELL_BUDGET}`);
for (const p of problems) console.error(`build: ${p}`);
if (problems.length) process.exit(1);
