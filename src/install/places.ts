import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InstallError } from './error.ts';

export type Scope = 'project' | 'local' | 'user';
export const SCOPES: readonly Scope[] = ['project', 'local', 'user'];

export type Env = Record<string, string | undefined>;

/** The settings file of a scope, as the client finds it when started in `root`. */
export function settingsPath(scope: Scope, root: string, env: Env = process.env): string {
  if (scope === 'project') return join(root, '.claude/settings.json');
  if (scope === 'local') return join(root, '.claude/settings.local.json');
  return join(env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'), 'settings.json');
}

const MANAGED: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
};

/** Files an administrator sets; they stand above every scope. */
export function managedFiles(dir = MANAGED[process.platform] ?? '/etc/claude-code'): string[] {
  const drops = join(dir, 'managed-settings.d');
  let names: string[] = [];
  try {
    names = readdirSync(drops).filter(name => name.endsWith('.json'));
  } catch {
    // No such folder: the usual case.
  }
  return [join(dir, 'managed-settings.json'), ...names.sort().map(name => join(drops, name))].filter(existsSync);
}

/** The folder of the installed package: the nearest above this module that has our package.json. */
export function packageRoot(from = import.meta.url): string {
  for (let dir = dirname(fileURLToPath(from)); ; dir = dirname(dir)) {
    try {
      const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { name?: string };
      if (manifest.name === 'touchstone') return dir;
    } catch {
      // Not here.
    }
    if (dirname(dir) === dir) {
      throw new InstallError('not-built', `no Touchstone package above ${fileURLToPath(from)}: install it again.`);
    }
  }
}

/** The bundles; a project wired to a folder that is not there would be blocked at every call. */
export function builtDist(root = packageRoot()): string {
  const dist = join(root, 'dist');
  if (!existsSync(join(dist, 'hooks/pre-tool-use.cjs'))) {
    throw new InstallError('not-built', `${dist}/hooks has no bundles: run \`npm run build\` in ${root}.`);
  }
  return dist;
}

/** Text of a file, `null` where there is none. Bytes that are no UTF-8 are refused rather than mangled. */
export function readText(path: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new InstallError('not-readable', `${path}: cannot be read (${code}). Correct it and run again.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InstallError('not-readable', `${path}: not UTF-8. Save it as UTF-8 and run again.`);
  }
}
