/** The house of design section 3: imports point down, nothing goes in circles, hooks start light. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** From the ground up. `top` is what lies directly in src/: the chokepoint and what an entry loads. */
const LAYERS = [
  ['event'],
  ['state'],
  ['repo', 'config'],
  ['runners', 'predicates', 'redact'],
  ['verdict', 'freeze', 'evidence', 'shell'],
  ['guards', 'gates', 'delivery', 'runs', 'checks', 'stages', 'trace'],
  ['top', 'agents', 'install'],
  ['hooks', 'cli', 'inspect'],
];

/** What build.mjs puts into files of their own: a hook loads them on need, they may be heavy. */
const OWN_FILE = [
  'src/shell/index.ts',
  'src/engine.ts',
  'src/oracle.ts',
  'src/held.ts',
  'src/rules.ts',
  'src/suite.ts',
  'src/watch.ts',
];
const HEAVY = ['zod', 'execa', 'unbash', 'commander', 'yaml', 'saxes', 'minimatch', '@secretlint/core'];
/** A tool call in general writes no state, so it needs none of these either. */
const WRITERS = ['proper-lockfile', 'write-file-atomic'];

type Import = { target: string; kind: 'static' | 'type' | 'deferred' };

function sources(dir: string): string[] {
  return readdirSync(join(ROOT, dir), { withFileTypes: true, recursive: true })
    .filter(e => e.isFile() && e.name.endsWith('.ts'))
    .map(e => relative(ROOT, join(e.parentPath, e.name)).split(sep).join('/'))
    .sort();
}

function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, kind: Import['kind']) => {
    const target = specifier.startsWith('.') ? join(dirname(file), specifier).split(sep).join('/') : specifier;
    found.push({ target, kind });
  };
  for (const m of text.matchAll(/^(?:import|export)\s+(type\s)?[^'"();]*?from\s+'([^']+)'/gm))
    add(m[2]!, m[1] ? 'type' : 'static');
  for (const m of text.matchAll(/^import\s+'([^']+)'/gm)) add(m[1]!, 'static');
  for (const m of text.matchAll(/(typeof\s+)?\b(?:import|require)\(\s*'([^']+)'\s*\)/g))
    add(m[2]!, m[1] ? 'type' : 'deferred');
  return found;
}

const files = [...sources('hooks'), ...sources('src')];
const graph = new Map(files.map(f => [f, importsOf(f, readFileSync(join(ROOT, f), 'utf8'))]));
const local = (target: string) => /^(?:src|hooks)\//.test(target);

function folder(file: string): string {
  if (file === 'src/event.ts') return 'event';
  const [top, next, more] = file.split('/');
  return top === 'hooks' ? 'hooks' : more === undefined ? 'top' : next!;
}

const layer = (file: string) => LAYERS.findIndex(names => names.includes(folder(file)));

function cycles(edges: (file: string) => string[]): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const found: string[] = [];
  const visit = (file: string) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    path.push(file);
    for (const next of edges(file)) visit(next);
    path.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) visit(file);
  return found;
}

describe('architecture', () => {
  it('sees the source', () => {
    assert.ok(files.length > 20, `${files.length} files`);
    assert.ok([...graph.values()].flat().length > files.length, 'more imports than files');
  });

  it('every folder has its layer', () => {
    assert.deepEqual([...new Set(files.filter(f => layer(f) === -1).map(folder))], []);
  });

  it('every import of ours names a file that exists', () => {
    const lost = [...graph].flatMap(([file, imports]) =>
      imports.filter(i => local(i.target) && !existsSync(join(ROOT, i.target))).map(i => `${file}: ${i.target}`),
    );
    assert.deepEqual(lost, []);
  });

  it('imports point down', () => {
    const up = [...graph].flatMap(([file, imports]) =>
      imports
        .filter(i => local(i.target) && layer(i.target) > layer(file))
        .map(i => `${file} (${folder(file)}) -> ${i.target} (${folder(i.target)})`),
    );
    assert.deepEqual(up, []);
  });

  it('the vocabulary imports nothing', () => assert.deepEqual(graph.get('src/event.ts'), []));

  it('has no cycle of files', () => {
    assert.deepEqual(
      cycles(file => (graph.get(file) ?? []).filter(i => local(i.target)).map(i => i.target)),
      [],
    );
  });

  it('only repo/ starts git', () => {
    const git = [...graph.keys()].filter(
      f =>
        folder(f) !== 'repo' &&
        /(?:spawn|spawnSync|execFile|execFileSync|execa)\(\s*'git'/.test(readFileSync(join(ROOT, f), 'utf8')),
    );
    assert.deepEqual(git, []);
  });

  for (const entry of sources('hooks')) {
    it(`${entry} starts light`, () => {
      const barred = entry.endsWith('pre-tool-use.ts') ? [...HEAVY, ...WRITERS] : HEAVY;
      const seen = new Set<string>();
      const todo = [entry];
      const heavy: string[] = [];
      while (todo.length) {
        const file = todo.pop()!;
        if (seen.has(file)) continue;
        seen.add(file);
        for (const { target, kind } of graph.get(file) ?? []) {
          if (kind === 'type' || OWN_FILE.includes(target)) continue;
          if (barred.some(name => target === name || target.startsWith(`${name}/`)))
            heavy.push(`${file} imports ${target}`);
          if (!local(target)) continue;
          todo.push(target);
        }
      }
      assert.deepEqual(heavy, []);
      assert.ok(seen.size > 1, 'follows the imports of the entry');
    });
  }
});
