import type { Command } from 'commander';
import { currentSession, startAttempt, TERMINAL } from '../gates/floors.ts';
import { readSessions } from '../gates/session.ts';
import { type CliCommand, print, projectRoot } from './command.ts';
import { gateContract, gateNamed, sessionAsked } from './gate.ts';

export const attemptCommand: CliCommand = {
  define(command: Command) {
    command
      .command('start')
      .description("set a step's attempt floor: evidence older than now is of an earlier attempt")
      .argument('<step>')
      .option('--session <id>', 'default: the newest open session')
      .action(start);
  },
};

async function start(step: string, options: { session?: string }): Promise<void> {
  const now = Date.now();
  const root = projectRoot();
  const gate = gateNamed(gateContract(root), step, 'attempt start');
  const session = currentSession(readSessions(root).sessions, sessionAsked(options))?.id ?? TERMINAL;
  await startAttempt(root, step, gate.marker, session, now);
  print(`${step}: attempt started at ${new Date(now).toISOString()}.`);
}
