import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';

export type Case = {
  id: string;
  category: string;
  tool_name: string;
  tool_input: { command: string };
  cwd_rel: string;
  setup: { pre?: string; fs?: string };
  expected: 'deny' | 'allow' | 'detect-after';
  accept: string[];
  tier: 'core' | 'stretch';
  debatable?: boolean;
};

export type World = {
  cases: Case[];
  open(one: Case): { root: string; home: string; cwd: string; command: string };
  close(): void;
};

/** The world the corpus plays in, built once and copied for lines that prepare something. */
export function openWorld(corpus: string): World {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone-calls-')));
  const base = join(top, 'base');
  execFileSync('python3', [join(corpus, 'build_world.py'), base], { stdio: 'ignore' });
  const cases = readFileSync(join(corpus, 'public.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Case);
  return {
    cases,
    open(one) {
      let home = base;
      const fill = (text: string): string =>
        text.replaceAll('__ROOT__', `${home}/proj`).replaceAll('__TMP__', `${home}/tmp`).replaceAll('__HOME__', home);
      if (one.setup.pre) {
        home = join(top, 'copy');
        rmSync(home, { recursive: true, force: true });
        cpSync(base, home, { recursive: true, verbatimSymlinks: true });
        spawnSync('bash', ['-c', fill(one.setup.pre)], {
          cwd: join(home, 'proj'),
          env: { ...process.env, HOME: home },
          stdio: 'ignore',
        });
      }
      const root = join(home, 'proj');
      const cwd = normalize(join(root, one.cwd_rel)).replace(/\/$/, '');
      return { root, home, cwd, command: fill(one.tool_input.command) };
    },
    close: () => rmSync(top, { recursive: true, force: true }),
  };
}
