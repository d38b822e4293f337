import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { readSessions } from '../gates/session.ts';
import { uninstall as remove } from '../install/uninstall.ts';
import { forgetWatch } from '../state/ledger.ts';
import { statePath } from '../state/paths.ts';
import { announce } from '../state/token.ts';
import { WIRING_TOKEN } from '../wiring.ts';
import { type CliCommand, print, printJson } from './command.ts';
import { humanOnly } from './human.ts';
import { scopeOf } from './init.ts';

type Options = { scope?: string; keepState?: boolean; json?: boolean };

/** A client notices changed settings within some seconds. */
const SETTLE_MS = 6000;

export const uninstall: CliCommand = {
  define(command: Command) {
    command
      .argument('[dir]', "the project's own folder", '.')
      .option('--scope <scope>', 'user: also out of the user settings that another project wired')
      .option('--keep-state', 'leave .claude/state where it is')
      .option('--json', 'print the report as JSON')
      .action(act);
  },
};

async function act(dir: string, options: Options): Promise<void> {
  humanOnly('uninstall');
  const report = await remove({
    dir,
    scope: options.scope === undefined ? undefined : scopeOf(options.scope),
    keepState: options.keepState,
    announce: root => announce(root, WIRING_TOKEN),
    settle,
  });
  forgetWatch(report.root);
  if (options.json) return printJson(report);
  const lines = report.files.map(({ path, done }) => `${path}: ${done}`);
  if (report.state !== 'absent') lines.push(`.claude/state: ${report.state}`);
  print([`Uninstalled from ${report.root}`, ...lines].join('\n'));
}

/** Waits until a session that is open has read the announcement; without one there is nothing to wait for. */
async function settle(root: string): Promise<void> {
  if (!readSessions(root).sessions.some(s => s.endedAt === null && s.wired.length > 0)) return;
  for (const until = Date.now() + SETTLE_MS; Date.now() < until && pending(root); ) await sleep(200);
}

function pending(root: string): boolean {
  try {
    return readdirSync(statePath(root, 'consent')).some(name => name.startsWith(`${WIRING_TOKEN}-`));
  } catch {
    return false;
  }
}
