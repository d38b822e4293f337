import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readState, writeAtomic } from '../../state/atomic.ts';
import { STATE, stateDir, statePath } from '../../state/paths.ts';
import { readSidecar, SIDECAR } from '../../verdict/sidecar.ts';
import { parseStamp, STATEFILE } from '../../verdict/statefile.ts';
import { addIgnoreLine, coversState } from '../gitignore.ts';
import { place } from '../place.ts';
import { readText } from '../places.ts';
import { type Check, fail, ok, type Result, warn } from './check.ts';

export const stateWritable: Check = {
  name: 'state',
  run({ root }) {
    const dir = stateDir(root);
    let kind: string;
    try {
      const stat = lstatSync(dir);
      kind = stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'symlink' : 'file';
    } catch {
      return [
        fail(`${STATE} is missing: nothing is proven`, 'run touchstone init', () =>
          mkdirSync(dir, { recursive: true }),
        ),
      ];
    }
    if (kind !== 'folder') return [fail(`${dir} is a ${kind}, not a folder`, `move it away and run touchstone init`)];
    const probe = statePath(root, `doctor-${process.pid}`);
    try {
      writeAtomic(probe, 'ok\n');
      return [ok(`${STATE} is writable`)];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return [fail(`${dir} cannot be written (${code}): no verdict can be stamped`, 'make it writable')];
    } finally {
      rmSync(probe, { force: true });
    }
  },
};

export const stateReads: Check = {
  name: 'state-files',
  run({ root }) {
    const found: Result[] = [];
    const statefile = readState(statePath(root, STATEFILE));
    const name = `${STATE}/${STATEFILE}`;
    if (statefile.kind === 'unusable') found.push(fail(`${name} ${statefile.why}`, 'run touchstone verify'));
    else if (statefile.kind === 'text') {
      const read = parseStamp(statefile.text);
      if (read.kind !== 'stamp')
        found.push(fail(`${name} is corrupt: it reads as no evidence`, 'run touchstone verify'));
    }
    const sidecar = readSidecar(root);
    if (sidecar.kind === 'corrupt')
      found.push(fail(`${STATE}/${SIDECAR} ${sidecar.why}: no PASS is attested`, 'run touchstone verify'));
    for (const file of filesIn(stateDir(root))) {
      if (/\.corrupt-/.test(file)) {
        found.push(warn(`${STATE}/${file} was kept aside as corrupt`, 'look at it, then delete it'));
      } else if (file.endsWith('.json') && file !== SIDECAR && !isJson(statePath(root, file))) {
        found.push(fail(`${STATE}/${file} is corrupt: it reads as no evidence`, 'run the command that makes it again'));
      }
    }
    return found.length ? found : [ok('every state file reads well')];
  },
};

export const stateIgnored: Check = {
  name: 'ignored',
  run({ root }) {
    const path = join(root, '.gitignore');
    const text = readText(path) ?? '';
    if (coversState(text)) return [ok(`${STATE} is kept out of git`)];
    return [
      warn(`.gitignore does not cover ${STATE}/`, `add the line ${STATE}/`, () =>
        place(path, addIgnoreLine(text).text),
      ),
    ];
  },
};

function filesIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter(e => !e.isDirectory())
      .map(e => e.name)
      .sort();
  } catch {
    return [];
  }
}

function isJson(path: string): boolean {
  const read = readState(path);
  if (read.kind !== 'text') return false;
  try {
    JSON.parse(read.text);
    return true;
  } catch {
    return false;
  }
}
