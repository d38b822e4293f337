/**
 * `touchstone deliver --dry-run` with fresh evidence against `node -e 0`, paired and in random order:
 * `node --import tsx bench/deliver.ts [files] [rounds]`. Limit: 4 at 10,000 files. Wants a built dist.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, repository, scratch } from './repository.ts';

const files = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 21);
const cli = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'cli.cjs');

const work = scratch();
const root = repository(join(work.dir, 'repo'), files, 0);
const env = { PATH: process.env.PATH ?? '', HOME: work.dir };
const run = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: root, env, stdio: 'pipe' });
const git = (...args: string[]) => run('git', '-c', 'user.name=b', '-c', 'user.email=b@example.org', ...args);
mkdirSync(join(root, '.claude'));
const suite = 'echo TAP version 13; echo 1..1; echo ok 1 - all';
writeFileSync(join(root, '.claude/project.json'), JSON.stringify({ test: { cmd: suite, runner: 'tap' } }));
run(process.execPath, cli, 'init');
git('checkout', '-q', '-B', 'main');
git('add', '-A');
git('commit', '-qm', 'wired');
git('checkout', '-q', '-b', 'task');
for (let i = 0; i < 5; i++) writeFileSync(join(root, 'd3', `f${i}.txt`), `task ${i}\n`);
git('commit', '-qam', 'task');
run(process.execPath, cli, 'deliver');
process.chdir(root);
console.log(`${files} files: deliver --dry-run ${compare(rounds, [cli, 'deliver', '--dry-run'], () => {})} (limit 4)`);
work.remove();
