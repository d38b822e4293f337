/** The scripts of the project that the base's commands run: who rewrites one of them decides what the run proves. */
import { join } from 'node:path';
import type { Check } from '../checks/contract.ts';
import type { Project } from '../config/project.ts';
import { readCommand } from '../shell/index.ts';

/** A file that the runner is given as a test is no program of ours to hold: freezing tests is for that. */
const TEST_NAME = /(?:^|\/)(?:test_[^/]*|[^/]*[._-](?:test|tests|spec)\.[^/]+|[^/]*\.t)$/i;

/** A check may run the very program that the work is about: to change that is the task, and its own tests judge it. */
const PRODUCT =
  /(?:^|\/)(?:src|lib|app|bin|cmd|internal|pkg)\/.*(?<!\.(?:ba)?sh)$|(?:^|\/)(?:index|main|app|cli|server|manage)\.\w+$/;

export const isProduct = (path: string): boolean => PRODUCT.test(path) && !/(?:^|\/)(?:tests?|spec)\//.test(path);

/** Paths from the project root, each with what runs it. */
export function programs(root: string, project: Project, checks: readonly Check[]): Map<string, string> {
  const found = new Map<string, string>();
  const read = (line: string, cwd: string, what: string) => {
    const { scripts } = readCommand(line, { cwd, root, home: '/', env: {} });
    for (const script of scripts) {
      const path = script.startsWith(`${root}/`) ? script.slice(root.length + 1) : null;
      if (path !== null && !TEST_NAME.test(path) && !found.has(path)) found.set(path, what);
    }
  };
  if (project.test.cmd.trim() !== '') read(project.test.cmd, root, 'the suite');
  for (const check of checks) read(check.argv.map(quoted).join(' '), join(root, check.cwd), `check ${check.id}`);
  return found;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
