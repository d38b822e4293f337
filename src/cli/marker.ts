import type { Command } from 'commander';
import {
  clearSignal,
  HALT_CLASSES,
  type HaltClass,
  halt,
  oneLine,
  phaseText,
  readHalt,
  readSignal,
  SIGNALS,
  type Signal,
  setSignal,
} from '../gates/signals.ts';
import { insideAgent } from '../install/agent-env.ts';
import { type CliCommand, print, printJson, projectRoot, UsageError } from './command.ts';
import { gateContract, gateNamed } from './gate.ts';
import { humanOnly } from './human.ts';

type SetOptions = { reason?: string; class: string; step?: string; phase?: string; allow?: string[] };

export const markerCommand: CliCommand = {
  define(command: Command) {
    const names = SIGNALS.join(', ');
    command
      .command('set')
      .description('put a marker up')
      .argument('<name>', names)
      .argument('[text...]', 'reason of a halt or quarantine, the choice of finish-choice')
      .option('--reason <text>', 'why the work halts or is put in quarantine')
      .option('--class <class>', `of a halt: ${HALT_CLASSES.join(', ')}`, 'needs-human')
      .option('--step <step>', 'of a phase: the step at work')
      .option('--phase <phase>', 'of a phase: its name, such as BUILD')
      .option('--allow <prefix...>', 'of a phase: paths the agent may write, all others are refused')
      .action(set);
    command.command('clear').description('take a marker down').argument('<name>', names).action(clear);
    command
      .command('show')
      .description('the markers that are up; exit 1 when the one asked for is not')
      .argument('[name]', names)
      .option('--json')
      .action(show);
  },
};

function signalNamed(name: string, verb: string): Signal {
  const known = SIGNALS.find(signal => signal === name);
  if (known) return known;
  throw new UsageError('unknown-marker', `marker ${verb} ${name}: no such marker (there: ${SIGNALS.join(', ')})`);
}

function set(name: string, words: string[], options: SetOptions): void {
  const root = projectRoot();
  const signal = signalNamed(name, 'set');
  const text = oneLine(options.reason ?? words.join(' '));
  const agent = insideAgent().inside;
  const by = agent ? 'agent' : 'human';
  const needs = (what: string): string => {
    if (text === '') throw new UsageError('no-text', `marker set ${name}: ${what}`);
    return text;
  };
  switch (signal) {
    case 'halt': {
      const kind = HALT_CLASSES.find(c => c === options.class);
      if (!kind) throw new UsageError('bad-option', `--class ${options.class}: give one of ${HALT_CLASSES.join(', ')}`);
      halt(root, needs('say why: --reason TEXT'), kind satisfies HaltClass, by);
      break;
    }
    case 'quarantine':
      setSignal(root, signal, `reason: ${needs('say why: --reason TEXT')}\nwritten: ${new Date().toISOString()}`);
      break;
    case 'finish-choice':
      setSignal(root, signal, needs('name the choice, such as merge, pr or keep'));
      break;
    case 'phase':
      setPhase(root, options, by);
  }
  print(`${name} is set.`);
}

function setPhase(root: string, options: SetOptions, by: 'agent' | 'human'): void {
  heldByHuman(root, 'set phase');
  const { step, phase } = options;
  if (!step || !phase)
    throw new UsageError(
      'no-phase',
      'marker set phase: give --step STEP and --phase NAME, and --allow PREFIX for paths',
    );
  gateNamed(gateContract(root), step, 'marker set phase --step');
  const allow = (options.allow ?? []).map(prefix => prefix.replace(/^\.\//, ''));
  const bad = allow.find(p => p === '' || p.startsWith('/') || p.split('/').includes('..') || /[\r\n*?[\]{}]/.test(p));
  if (bad !== undefined)
    throw new UsageError('bad-option', `--allow ${bad}: give a path prefix inside the project, such as src/`);
  setSignal(root, 'phase', phaseText({ step, phase, allow, by }));
}

/** What a human narrowed an agent does not widen. */
function heldByHuman(root: string, verb: string): void {
  if (/^by: human$/m.test(readSignal(root, 'phase') ?? '')) humanOnly(`marker ${verb} (a human set the phase)`);
}

function clear(name: string): void {
  const root = projectRoot();
  const signal = signalNamed(name, 'clear');
  if (signal === 'halt' || signal === 'quarantine') humanOnly(`marker clear ${signal}`);
  if (signal === 'phase') heldByHuman(root, 'clear phase');
  print(clearSignal(root, signal) ? `${name} is cleared.` : `${name} was not set.`);
}

function show(name: string | undefined, options: { json?: boolean }): void {
  const root = projectRoot();
  const asked = name === undefined ? SIGNALS : [signalNamed(name, 'show')];
  const up = asked.flatMap(signal => {
    const text = readSignal(root, signal);
    const kind = signal === 'halt' ? readHalt(root)?.class : undefined;
    return text === null ? [] : [{ name: signal, text: text.trim(), ...(kind ? { class: kind } : {}) }];
  });
  if (options.json) printJson(up);
  else if (up.length === 0) print(name === undefined ? 'No marker is set.' : `${name} is not set.`);
  else print(up.map(m => `${m.name}${m.class ? ` (${m.class})` : ''}\n${m.text.replace(/^/gm, '  ')}`).join('\n'));
  if (name !== undefined) process.exitCode = up.length === 0 ? 1 : 0;
}
