// Builds dist/: CommonJS for what an agent starts at every tool call, split ESM for the command line.
//
//   dist/hooks/<event>.cjs   one bundle per hooks/<event>.ts
//   dist/shell.cjs           the shell reader, loaded by a hook only when a command needs it
//   dist/engine.cjs          what a hook loads to ask git and to keep session state
//   dist/suite.cjs           what a hook loads to run or read the suite
//   dist/cli.mjs             the command line; its commands lie in dist/chunks and load when asked for
//
// A hook that writes `await import('../src/shell/index.ts')` (or src/engine.ts) gets `require('../shell.cjs')`: the same
// source runs unbundled under tsx and as a bundle, and the parser stays out of the hook's own file.
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
import { build } from 'esbuild';

const ROOT = dirname(fileURLToPath(import.meta.url));
const DIST = join(ROOT, 'dist');
const KB = 1000;
const BUDGET = { 'hooks/pre-tool-use.cjs': 48 * KB, 'shell.cjs': 120 * KB };
const HOOK_BUDGET = 64 * KB;

const SIBLINGS = new Map([
  [join(ROOT, 'src/shell/index.ts'), 'shell.cjs'],
  [join(ROOT, 'src/engine.ts'), 'engine.cjs'],
  [join(ROOT, 'src/suite.ts'), 'suite.cjs'],
]);

const META_URL = '__importMetaUrl';

const common = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
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

async function cjs(entry, outfile) {
  const result = await build({
    ...common,
    entryPoints: [entry],
    outfile,
    format: 'cjs',
    // `import()` in a CommonJS file starts node's ESM loader; `require` does not.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': META_URL, 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    plugins: [siblings(dirname(outfile))],
  });
  let text = result.outputFiles[0].text;
  if (text.includes(META_URL)) {
    text = `"use strict";const ${META_URL}=require("node:url").pathToFileURL(__filename).href;${text}`;
  }
  const outputs = Object.values(result.metafile.outputs);
  const outside = outputs.flatMap(o => o.imports.filter(i => i.external).map(i => i.path));
  return { files: [{ path: outfile, text }], outside };
}

async function cli(entry) {
  const result = await build({
    ...common,
    entryPoints: { cli: entry },
    outdir: DIST,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [optional],
    // Bundled CommonJS packages call `require` for node's own modules.
    banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
  });
  const files = result.outputFiles.map(f => ({ path: f.path, text: f.text }));
  for (const f of files) {
    if (f.path === join(DIST, 'cli.mjs') && !f.text.startsWith('#!')) f.text = `#!/usr/bin/env node\n${f.text}`;
  }
  return {
    files,
    outside: Object.values(result.metafile.outputs).flatMap(o => o.imports.filter(i => i.external).map(i => i.path)),
  };
}

/** Into place by rename, and only where the bytes differ: hooks of a live session may be starting from here. */
function place({ path, text }) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    mkdirSync(dirname(path), { recursive: true });
    const temp = `${path}.${process.pid}.tmp`;
    writeFileSync(temp, text);
    renameSync(temp, path);
  }
  if (basename(path) === 'cli.mjs') chmodSync(path, 0o755);
}

function filesUnder(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter(e => e.isFile())
    .map(e => join(e.parentPath ?? e.path, e.name));
}

const inDist = path => relative(DIST, path).split(sep).join('/');
const isHook = path => path.startsWith(join(DIST, 'hooks') + sep);

const jobs = [];
for (const name of readdirSync(join(ROOT, 'hooks')).sort()) {
  if (!name.endsWith('.ts')) continue;
  jobs.push(cjs(join(ROOT, 'hooks', name), join(DIST, 'hooks', name.replace(/\.ts$/, '.cjs'))));
}
for (const [entry, file] of SIBLINGS) if (existsSync(entry)) jobs.push(cjs(entry, join(DIST, file)));
const main = join(ROOT, 'src/cli/main.ts');
if (existsSync(main)) jobs.push(cli(main));

const problems = [];
const kept = new Set();
const sizes = [];
// esbuild has printed what is wrong and where.
const built = await Promise.all(jobs).catch(() => process.exit(1));
for (const { files, outside } of built) {
  for (const file of files) {
    place(file);
    kept.add(file.path);
    sizes.push([inDist(file.path), Buffer.byteLength(file.text)]);
  }
  const from = files[0].path;
  for (const path of outside) {
    if (isBuiltin(path)) continue;
    const target = resolve(dirname(from), path);
    if (/^\.\.?\//.test(path) && target.startsWith(DIST + sep)) continue;
    problems.push(`${inDist(from)} loads ${path}, which is not in dist`);
  }
}
for (const path of filesUnder(DIST)) if (!kept.has(path) && !path.endsWith('.tmp')) rmSync(path, { force: true });

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
for (const p of problems) console.error(`build: ${p}`);
if (problems.length) process.exit(1);
