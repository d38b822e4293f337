/** Collects everything that is wrong with a plan: path, message, cure. */
import { isStrings, wrongPath } from '../checks/command-spec.ts';
import { PLAN_FILE } from '../config/trust.ts';
import { patternWrong } from './match.ts';

export type PlanFault = { file: string; path: string; message: string; cure?: string; warning?: true };

export const NAME = /^[a-z0-9][a-z0-9._-]{0,79}$/;

export class Faults {
  readonly all: PlanFault[] = [];

  add(path: string, message: string, cure: string): void {
    this.all.push({ file: PLAN_FILE, path, message, cure });
  }

  warn(path: string, message: string, cure: string): void {
    this.all.push({ file: PLAN_FILE, path, message, cure, warning: true });
  }

  /** A list that may be left out; its members are objects or whatever the caller asks for. */
  list(value: unknown, path: string): unknown[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.add(path, 'is not a list', `write "${path}": [ ... ]`);
    return [];
  }

  keys(item: Record<string, unknown>, known: readonly string[], path: string, what: string): void {
    for (const key of Object.keys(item)) {
      if (known.includes(key)) continue;
      this.warn(
        path === '' ? key : `${path}.${key}`,
        `is no key of ${what} and has no effect`,
        'remove it or correct its spelling',
      );
    }
  }

  /** Patterns relative to their repository; wrong ones are named and left out. */
  patterns(value: unknown, path: string): string[] {
    if (value === undefined) return [];
    if (!isStrings(value)) {
      this.add(path, 'is not a list of path patterns', 'write ["src/**"]');
      return [];
    }
    return value.filter((pattern, index) => {
      const wrong = wrongPath(pattern) ?? patternWrong(pattern);
      if (wrong !== null)
        this.add(`${path}.${index}`, `a pattern ${wrong}`, 'give a pattern relative to the repository, without ".."');
      return wrong === null;
    });
  }
}
