/** What starts a step's attempt by itself: a command the human typed, a skill or a subagent the agent calls by its name. */
import { existsSync } from 'node:fs';
import { readProject } from '../config/project.ts';
import type { Event } from '../event.ts';
import { stateDir } from '../state/paths.ts';
import { readGates, refusals } from './contract.ts';
import { startAttempt } from './floors.ts';
import type { Gate } from './gate.ts';

/** Sets the attempt floor of each step the event dispatches, and names them. A floor asks for more work, never for less. */
export async function dispatched(event: Event, root: string, now = Date.now()): Promise<string[]> {
  const name = nameOf(event);
  if (name === null || !existsSync(stateDir(root))) return [];
  const contract = readGates(readProject(root).project.raw);
  if (refusals(contract).length > 0) return [];
  const steps = contract.gates.filter(gate => isDispatchedBy(gate, name));
  try {
    for (const gate of steps) await startAttempt(root, gate.step, gate.marker, event.session, now);
  } catch {
    // A state folder that takes no floor takes no verdict either: nothing is satisfied there, and work goes on.
  }
  return steps.map(gate => gate.step);
}

/** `/review`, `/plugin:review`; what a tool for skills or subagents calls it. */
export function nameOf(event: Event): string | null {
  if (event.kind === 'user-prompt') return /^\s*\/([\w.-]+(?::[\w.-]+)*)(?=\s|$)/.exec(event.prompt ?? '')?.[1] ?? null;
  const { subagent_type, skill, command, name } = event.call?.input ?? {};
  const given = [subagent_type, skill, command, name].find(value => typeof value === 'string' && value.trim() !== '');
  return given === undefined ? null : (given as string).trim().replace(/^\//, '');
}

function isDispatchedBy(gate: Gate, name: string): boolean {
  const names = [name, name.slice(name.lastIndexOf(':') + 1)].map(one => one.toLowerCase());
  return [gate.step, ...gate.dispatch].some(own => names.includes(own.toLowerCase()));
}
