/**
 * Cold snapshot with 20 dirty files against `node -e 0`: `node --import tsx bench/snapshot.ts [sizes] [rounds]`.
 * Limits: 2.2 and 6.5 at 10,000 and 100,000 files, 200 MB.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundle, compare, repository, scratch } from './repository.ts';

const sizes = (process.argv[2] ?? '10000,100000').split(',').map(Number);
const rounds = Number(process.argv[3] ?? 21);

const work = scratch();
const script = await bundle(
  work.dir,
  `import { snapshot } from './src/repo/snapshot.ts';
   const taken = snapshot(process.argv[2]);
   if (process.argv[3]) console.log(Math.round(process.resourceUsage().maxRSS / 1024));
   process.exit(taken.entries.length === 20 ? 0 : 1);`,
);
for (const size of sizes) {
  const root = repository(join(work.dir, `repo-${size}`), size, 20);
  const ratio = compare(rounds, [script, root], () => {});
  const memory = spawnSync(process.execPath, [script, root, 'memory'], { encoding: 'utf8' }).stdout.trim();
  console.log(`${size} files: snapshot ${ratio} (limit ${size <= 10_000 ? 2.2 : 6.5}), ${memory} MB (limit 200)`);
}
work.remove();
