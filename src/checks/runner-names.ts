import { RUNNERS } from '../runners/registry.ts';

/** What `runner` may say: every runner file, and `generic` with patterns. */
export function runnerNames(): string[] {
  return [...RUNNERS.map(runner => runner.name), 'generic'];
}

export function isRunner(name: string): boolean {
  return runnerNames().includes(name);
}

export function unknownRunner(name: string): string {
  return `unknown runner "${name}"`;
}
