/**
 * The bytes on disk where a content filter stands between them and what git records: a change of line ends, or one that
 * a clean filter takes out again, must still move the fingerprint.
 *
 * A second index, under a git folder of our own whose `info/attributes` switches every filter off, gives git's stat cache
 * for raw bytes; hashing each file in node costs ten times as much.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { discard, keep, kept, temporary, twin } from './cache.ts';
import { read } from './config-text.ts';
import { git, TRUSTLESS } from './git.ts';
import { eachEntry } from './index-file.ts';
import { type NotRecorded, type Recorded, refused, type Setting } from './private-index.ts';
import { shortHash } from './short-hash.ts';

const FILTERING =
  /(?:^|\s)(?:text|crlf|ident|text=auto|crlf=input|eol=\S+|filter=\S+|working-tree-encoding=\S+)(?:\s|$)/m;
const NO_FILTERS = '* -text -crlf -eol -ident -filter -working-tree-encoding\n';
const GITLINK_MODE = 0o160000;

function filters(s: Setting, recorded: Recorded): boolean {
  if (s.settings.autocrlf) return true;
  const files = [
    join(s.repo.commonDir, 'info', 'attributes'),
    '/etc/gitattributes',
    ...(s.settings.attributesFile ? [s.settings.attributesFile] : []),
    ...recorded.attributes.map(path => join(s.repo.top, path)),
  ];
  return files.some(file => FILTERING.test(read(file).replace(/^\s*#.*$/gm, '')));
}

export function rawContent(s: Setting, recorded: Recorded): string | null | NotRecorded {
  if (!filters(s, recorded)) return null;
  const gitDir = plainGitDir(s);
  const { createHash } = process.getBuiltinModule('node:crypto');
  const family = `raw-${shortHash([s.repo.gitDir])}-`;

  const wanted = new Set<string>();
  if (existsSync(recorded.indexFile)) {
    eachEntry(readFileSync(recorded.indexFile), s.settings.idLength, (path, mode) => {
      if (mode !== GITLINK_MODE && !s.exclude.excludes(path.toString('utf8'))) wanted.add(path.toString('latin1'));
    });
  }
  const index = temporary(s.cache);
  try {
    const found = kept(s.cache, family);
    if (found !== null) twin(join(s.cache.dir, found), index);
    const run = (args: string[], paths: Iterable<string>) =>
      git([...TRUSTLESS, '-c', 'core.autocrlf=false', '-c', 'core.attributesFile=', '-c', 'index.version=2', ...args], {
        cwd: s.repo.top,
        env: { GIT_DIR: gitDir, GIT_WORK_TREE: s.repo.top, GIT_INDEX_FILE: index },
        input: Buffer.from([...paths].map(path => path + '\0').join(''), 'latin1'),
        timeoutMs: s.timeoutMs,
      });
    const takenAt = Math.floor(Date.now() / 1000);
    const start = statSync(index, { throwIfNoEntry: false })?.ino;
    const updated = run(['update-index', '--info-only', '--add', '--remove', '--replace', '-z', '--stdin'], wanted);
    if (!updated.ok) return refused(updated);

    const sum = createHash('sha256');
    let unsafe = false;
    const stat = statSync(index, { throwIfNoEntry: false });
    if (stat) {
      const writtenAt = Math.floor(stat.mtimeMs / 1000);
      const bytes = readFileSync(index);
      eachEntry(bytes, s.settings.idLength, (path, mode, content, ctime, mtime) => {
        if (ctime >= takenAt && mtime < writtenAt) unsafe = true;
        // Left over from an earlier run: no longer tracked, or excluded.
        if (!wanted.has(path.toString('latin1'))) return;
        sum
          .update(`${mode.toString(8)} ${content.toString('hex')} `)
          .update(path)
          .update('\0');
      });
      if (!unsafe && stat.ino !== start) keep(s.cache, index, `${family}index`, `${family}none`);
    }
    return sum.digest('hex');
  } finally {
    discard(index);
  }
}

/** The least that git takes for a repository. */
function plainGitDir(s: Setting): string {
  const dir = join(s.cache.dir, `plain-${s.settings.idLength}`);
  if (existsSync(join(dir, 'HEAD'))) return dir;
  for (const folder of ['objects', 'refs', 'info']) mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, 'info', 'attributes'), NO_FILTERS);
  const format = s.settings.idLength === 32 ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  const version = s.settings.idLength === 32 ? 1 : 0;
  writeFileSync(join(dir, 'config'), `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = false\n${format}`);
  // Last: its presence says that the rest is there.
  writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
  return dir;
}
