/** The whole of project.json: its shape, and what its checks, outcomes and gates mean. Apart because it needs the schemas. */
import { isRecord } from '../config/project.ts';
import { type Fault, validateProject } from '../config/schema.ts';
import { readGates } from '../gates/contract.ts';
import { validateChecks } from './contract.ts';

export function validateRules(root: string): Fault[] {
  return validateProject(root, raw => [...validateChecks(raw), ...readGates(isRecord(raw) ? raw : {}).faults]);
}
