import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { checkRecordSchema, observationSchema } from '../checks/schema.ts';
import { projectSchema } from '../config/schema.ts';
import { FREEZE_SCHEMAS } from '../freeze/schema.ts';
import { acceptedSchema, gateSchema, ledgerSchema, sessionSchema, watchSchema } from '../gates/schema.ts';
import { installSchema } from '../install/schema.ts';
import { RUN_SCHEMAS } from '../runs/schema.ts';
import { planSchema } from '../stages/plan-schema.ts';
import { STAGE_SCHEMAS } from '../stages/schema.ts';
import { writeAtomic } from '../state/atomic.ts';
import { greenSchema, sidecarSchema } from '../verdict/schema.ts';
import { type CliCommand, print } from './command.ts';

/** Every file a human or another program may read, by the name of its schema file. */
export const SCHEMAS: Record<string, z.ZodType> = {
  ...RUN_SCHEMAS,
  project: projectSchema,
  ...STAGE_SCHEMAS,
  plan: planSchema,
  verdict: sidecarSchema,
  green: greenSchema,
  session: sessionSchema,
  gate: gateSchema,
  ledger: ledgerSchema,
  accepted: acceptedSchema,
  check: checkRecordSchema,
  observation: observationSchema,
  'check-numbers': z.record(z.string(), z.number().int()).describe('The last record number of each check.'),
  ...FREEZE_SCHEMAS,
  install: installSchema,
  watch: watchSchema,
};

export const schema: CliCommand = {
  define(command: Command) {
    command
      .argument('[name]', `one of ${Object.keys(SCHEMAS).join(', ')}`)
      .option('--write <folder>', 'write all of them into a folder')
      .action((name: string | undefined, options: { write?: string }) => {
        const texts = schemaTexts();
        if (options.write)
          for (const [file, text] of Object.entries(texts)) writeAtomic(join(options.write, file), text);
        else if (name && texts[`${name}.json`]) print(texts[`${name}.json`]!);
        else print(Object.keys(SCHEMAS).join('\n'));
      });
  },
};

export function schemaTexts(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SCHEMAS).map(([name, type]) => [
      `${name}.json`,
      JSON.stringify(z.toJSONSchema(type), null, 2) + '\n',
    ]),
  );
}
