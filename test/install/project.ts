import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { HOOKS } from '../../src/config/hook-table.ts';

/** A folder of its own for one test, with these files. */
export function project(t: TestContext, files: Record<string, string> = {}, name = 'project'): string {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'touchstone-install-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, name);
  mkdirSync(root);
  write(root, files);
  return root;
}

export function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Every path below with its kind, mode and bytes. */
export function snapshot(root: string): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const stat = lstatSync(path);
    const what = stat.isSymbolicLink()
      ? `link ${readlinkSync(path)}`
      : stat.isDirectory()
        ? 'folder'
        : createHash('sha256').update(readFileSync(path)).digest('hex');
    seen[path.slice(root.length + 1)] = `${(stat.mode & 0o7777).toString(8)} ${what}`;
  }
  return seen;
}

/** A folder of hook scripts that stand in for an installed package, run by `sh` because it starts in no time. */
export function scripts(root: string, body: (name: string) => string = honest): string {
  const dist = join(root, 'dist');
  write(dist, Object.fromEntries(HOOKS.map(({ file }) => [`hooks/${file}.cjs`, body(file)])));
  return dist;
}

export function honest(name: string): string {
  const says = `echo 'Touchstone ${name}: refused' >&2`;
  if (name === 'pre-tool-use') return `case $(cat) in *'"command":"ls"'*) exit 0 ;; esac; ${says}; exit 2\n`;
  return `${says}; exit ${name === 'config-change' ? 2 : 0}\n`;
}

/** The same for `node`, where what is tried is node itself. */
export function honestNode(name: string): string {
  const says = `process.stderr.write('Touchstone ${name}: refused\\n');`;
  const passes = `if (require('node:fs').readFileSync(0, 'utf8').includes('"command":"ls"')) process.exit(0);`;
  if (name === 'pre-tool-use') return `${passes} ${says} process.exit(2);\n`;
  return `${says} process.exit(${name === 'config-change' ? 2 : 0});\n`;
}
