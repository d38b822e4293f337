/** The whole of project.json: its shape, and what its checks, outcomes and gates mean. Apart because it needs the schemas. */
import { isRecord, record } from '../config/project.ts';
import { type Fault, validateProject } from '../config/schema.ts';
import { readGates } from '../gates/contract.ts';
import { validateChecks } from './contract.ts';
import { isRunner, runnerNames, unknownRunner } from './runner-names.ts';

export function validateRules(root: string): Fault[] {
  return validateProject(root, raw => [
    ...suiteRunner(raw),
    ...validateChecks(raw),
    ...readGates(isRecord(raw) ? raw : {}).faults,
  ]);
}

function suiteRunner(raw: unknown): Fault[] {
  const { runner } = record(record(raw).test);
  if (typeof runner !== 'string' || runner === '' || isRunner(runner)) return [];
  return [{ path: 'test.runner', message: `${unknownRunner(runner)}; one of ${runnerNames().join(', ')}` }];
}
