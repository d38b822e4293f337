import type { CliCommand } from './command.ts';

type Entry = { name: string; summary: string; load(): Promise<CliCommand> };

/** One line a command: its name, what it does, where it is. */
export const COMMANDS: readonly Entry[] = [
  { name: 'init', summary: 'wire a project', load: async () => (await import('./init.ts')).init },
  {
    name: 'uninstall',
    summary: "a human's act: every file as before init",
    load: async () => (await import('./uninstall.ts')).uninstall,
  },
  {
    name: 'doctor',
    summary: 'prove that the wiring refuses, name what is broken',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'statusline',
    summary: "one line for the client's status line",
    load: async () => (await import('./statusline.ts')).statusline,
  },
  {
    name: 'verify',
    summary: 'run the suite once and stamp the verdict',
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    name: 'deliver',
    summary: 're-run what is stale, find what must not leave, show what would',
    load: async () => (await import('./deliver.ts')).deliverCommand,
  },
  {
    name: 'ci',
    summary: "judge a checkout by the base revision's rules alone",
    load: async () => (await import('./ci.ts')).ciCommand,
  },
  {
    name: 'hook',
    summary: "what git's own hooks call (init --git-hooks)",
    load: async () => (await import('./hook.ts')).hookCommand,
  },
  {
    name: 'status',
    summary: 'verdict, age, tree, streak and wiring',
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'fingerprint',
    summary: 'content hash of the work tree, the index or a revision',
    load: async () => (await import('./fingerprint.ts')).fingerprintCommand,
  },
  {
    name: 'freeze',
    summary: 'hold proven tests; status, verify, restore',
    load: async () => (await import('./freeze.ts')).freezeCommand,
  },
  {
    name: 'thaw',
    summary: "a human's act: open frozen tests",
    load: async () => (await import('./thaw.ts')).thawCommand,
  },
  {
    name: 'explain',
    summary: 'what a command would touch, which rule decides, why, and what to do',
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'check',
    summary: 'list and run the declared checks, record red and green evidence',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    name: 'gate',
    summary: 'recompute the gates, pass a step, kick one back',
    load: async () => (await import('./gate.ts')).gateCommand,
  },
  {
    name: 'attempt',
    summary: "start a step's attempt: older evidence no longer counts",
    load: async () => (await import('./attempt.ts')).attemptCommand,
  },
  {
    name: 'marker',
    summary: 'halt, quarantine, finish-choice and phase',
    load: async () => (await import('./marker.ts')).markerCommand,
  },
  {
    name: 'parse',
    summary: "read and judge a saved runner's output",
    load: async () => (await import('./parse.ts')).parseCommand,
  },
  {
    name: 'run',
    summary: 'wrap an agent, list and show runs: what happened beside what was claimed',
    load: async () => (await import('./run.ts')).runCommandLine,
  },
  {
    name: 'accept',
    summary: "a human's act: a task counts as done without proof",
    load: async () => (await import('./accept.ts')).acceptCommand,
  },
  {
    name: 'demo',
    summary: 'from a red test to a push in a throw-away project, with the proof of each step',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  {
    name: 'plan',
    summary: 'validate, bind and rebind the plan in .claude/plan.json',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  {
    name: 'stage',
    summary: 'start, finish and show the stages of the bound plan',
    load: async () => (await import('./stage.ts')).stageCommand,
  },
  {
    name: 'config',
    summary: 'show, validate and accept the rules in project.json',
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'schema',
    summary: 'JSON Schema of every state file',
    load: async () => (await import('./schema.ts')).schema,
  },
  {
    name: 'claims',
    summary: 'what a final message claims',
    load: async () => (await import('./claims.ts')).claimsCommand,
  },
];
