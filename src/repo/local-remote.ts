/** What a remote on this disk holds by now: it can be asked without a network, and without fetching. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Ask } from './ask.ts';

export type Remote = { objects: string; tip(branch: string | undefined): string | null };

/** Null for a remote elsewhere, and for one that nobody named. */
export function localRemote(ask: Ask, named: string | undefined): Remote | null {
  const head = ask.note('HEAD') ?? '';
  const current = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  const settings = new Map(
    (ask.raw('config', '-z', '--get-regexp', String.raw`^(remote\..*\.url|branch\..*\.(remote|merge))$`) ?? []).map(
      line => {
        const [key = '', ...value] = line.split('\n');
        return [key, value.join('\n')] as const;
      },
    ),
  );
  const name = named ?? settings.get(`branch.${current}.remote`) ?? 'origin';
  const url = settings.get(`remote.${name}.url`) ?? name;
  const path = url.startsWith('file://')
    ? url.slice(7)
    : /^(?:\/|\.{1,2}(?:\/|$))/.test(url)
      ? resolve(ask.repo.top, url)
      : null;
  if (path === null) return null;
  const folder = [path, join(path, '.git')].find(
    one => existsSync(join(one, 'objects')) && existsSync(join(one, 'HEAD')),
  );
  if (folder === undefined) return null;
  return {
    objects: join(folder, 'objects'),
    tip(branch) {
      const ref = branch ?? settings.get(`branch.${current}.merge`) ?? 'HEAD';
      const full = /^refs\/|^HEAD$/.test(ref) ? ref : `refs/heads/${ref}`;
      const found = ask.raw(`--git-dir=${folder}`, 'rev-parse', '--verify', '--quiet', full);
      return found?.[0]?.trim() || null;
    },
  };
}

/** Words that stand for what was fetched, in the place of the commits they will name. */
export function fetchedWords(args: readonly string[], remote: Remote, name: string): string[] {
  return args.map(arg => {
    const branch =
      arg === 'FETCH_HEAD' || /^@\{u(?:pstream)?\}$/.test(arg)
        ? undefined
        : arg.startsWith(`${name}/`)
          ? arg.slice(name.length + 1)
          : null;
    return branch === null ? arg : (remote.tip(branch) ?? arg);
  });
}
