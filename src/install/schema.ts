import { z } from 'zod';
import type { InstallRecord } from './record.ts';

export const installSchema = z
  .object({
    schema: z.literal(1),
    files: z.array(
      z.object({
        path: z.string().describe('Relative to the root, or absolute outside of it.'),
        kind: z.enum(['settings', 'gitignore', 'project', 'skill', 'git-hook']),
        existed: z.boolean(),
        spans: z.array(z.object({ at: z.number().int(), length: z.number().int() })),
        sha256: z.string().describe('Of the text that init left.'),
      }),
    ),
    dirs: z.array(z.string()).describe('Folders that init made, outermost first.'),
  })
  .describe('install.json: what uninstall undoes.') satisfies z.ZodType<InstallRecord>;
