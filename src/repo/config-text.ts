/**
 * Which of git's settings matter here, read as text from the files that can hold them. A process to ask git would cost
 * a tenth of the whole budget, and nearly every repository sets none of them.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { git, TRUSTLESS } from './git.ts';
import type { Repository } from './locate.ts';

export type Settings = {
  sparse: boolean;
  /** End-of-line conversion without any attribute. */
  autocrlf: boolean;
  attributesFile: string | null;
  idLength: 20 | 32;
};

const INTERESTING = /sparsecheckout|autocrlf|attributesfile|objectformat|^\s*\[\s*include/im;

export function settings(repo: Repository): Settings {
  const home = process.env.HOME ?? process.env.USERPROFILE ?? '';
  const xdg = process.env.XDG_CONFIG_HOME || join(home, '.config');
  const files = [
    join(repo.commonDir, 'config'),
    join(repo.gitDir, 'config.worktree'),
    join(home, '.gitconfig'),
    join(xdg, 'git', 'config'),
    '/etc/gitconfig',
  ];
  const found: Settings = {
    sparse: false,
    autocrlf: false,
    attributesFile: join(xdg, 'git', 'attributes'),
    idLength: 20,
  };
  // Elsewhere the system-wide file lies where only that git knows.
  const ask = process.platform !== 'linux' || files.some(file => INTERESTING.test(read(file)));
  if (!ask) return found;
  const listed = git(['config', '--list', '-z'], { cwd: repo.top });
  if (!listed.ok) return found;
  for (const line of listed.stdout.toString('utf8').split('\0')) {
    const cut = line.indexOf('\n');
    const [key, value] = cut < 0 ? [line, 'true'] : [line.slice(0, cut), line.slice(cut + 1)];
    const on = /^(true|yes|on|1)$/i.test(value);
    if (key === 'core.sparsecheckout') found.sparse = on;
    else if (key === 'core.autocrlf') found.autocrlf = on || value.toLowerCase() === 'input';
    else if (key === 'core.attributesfile') found.attributesFile = value.replace(/^~(?=\/)/, home);
    else if (key === 'extensions.objectformat') found.idLength = value === 'sha256' ? 32 : 20;
  }
  return found;
}

/**
 * The folder git would look at, where that is not the one that holds `.git`. A submodule's settings name the folder it
 * stands in; others can name any, and git would go on measuring that one whatever happens here.
 */
export function lookedAtElsewhere(repo: Repository): string | null {
  const files = [join(repo.commonDir, 'config'), join(repo.gitDir, 'config.worktree')];
  const named = files.flatMap(file =>
    [...read(file).matchAll(/\bworktree\s*=\s*"?([^"\n]*)/gi)].map(m => m[1]!.trim()),
  );
  if (named.every(folder => real(resolve(repo.gitDir, folder)) === repo.top)) return null;
  const asked = git([...TRUSTLESS, 'rev-parse', '--show-toplevel'], { cwd: repo.top });
  if (!asked.ok) return null;
  const top = asked.stdout.toString('utf8').replace(/\r?\n$/, '');
  return real(top) === repo.top ? null : top;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * `info/exclude`, and an ignore file that the repository's own settings name, hide files from every way of listing them
 * and lie outside the tree; the reader of a fingerprint should know. A user's own global ignore file is everybody's.
 */
export function hidesByExclude(repo: Repository): boolean {
  const own = read(join(repo.commonDir, 'config')) + read(join(repo.gitDir, 'config.worktree'));
  return /^[^#\s]/m.test(read(join(repo.commonDir, 'info', 'exclude'))) || /\bexcludesfile\s*=\s*\S/i.test(own);
}

export function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
