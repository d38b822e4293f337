/**
 * Cold `fingerprint` against `node -e 0`, paired and in random order: `node --import tsx bench/fingerprint.ts [sizes] [rounds]`.
 * Limits: 1.8, 2.6 and 7.5 at 1,000, 10,000 and 100,000 files.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, compare, repository, scratch } from './repository.ts';

const sizes = (process.argv[2] ?? '1000,10000,100000').split(',').map(Number);
const rounds = Number(process.argv[3] ?? 21);

const work = scratch();
const script = await bundle(
  work.dir,
  `import { fingerprint } from './src/repo/fingerprint.ts';
   const exclude = ['docs/verify/**', 'docs/verification/**', '**/*verify*', '**/*verification*'];
   const print = fingerprint(process.argv[2], { of: 'worktree', exclude });
   process.exit(print.ok ? 0 : 1);`,
);
for (const size of sizes) {
  const root = repository(join(work.dir, `repo-${size}`), size, 12);
  let n = 0;
  const limit = size <= 1000 ? 1.8 : size <= 10_000 ? 2.6 : 7.5;
  const still = compare(rounds, [script, root], () => {});
  const moving = compare(rounds, [script, root], () => appendFileSync(join(root, 'd0', 'f0.txt'), `${n++}\n`));
  const staged = compare(rounds, [script, root], () => repository.touchIndex(root));
  console.log(`${size} files: unchanged ${still}, one edit ${moving}, after git status ${staged} (limit ${limit})`);
}
work.remove();
