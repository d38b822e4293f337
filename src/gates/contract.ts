/** `gates`, `gate` and `surfaces` of project.json, read with everything wrong named in one pass. No schema library: hooks read it. */
import { isRecord } from '../config/project.ts';
import { known, nameList } from './conditions/names.ts';
import { CONDITIONS } from './conditions/registry.ts';
import type { Enforcement, Gate, Names } from './gate.ts';
import { BUILT_IN, CLASSES, readSurfaces, type Surfaces } from './surfaces.ts';

export type GateFault = { path: string; message: string; cure?: string; warning?: true };

export type GateContract = {
  /** In an order in which each comes after those it waits for. */
  gates: Gate[];
  stop: string[];
  deliver: string[];
  surfaces: Surfaces;
  faults: GateFault[];
};

const STEP = /^[a-z0-9][a-z0-9._-]{0,79}$/i;
const ENFORCEMENTS = ['advisory', 'gating', 'structural'];
const PROOF = ['marker', 'check', 'verdict', 'frozen', 'after'];
const OTHER_KEYS = new Set(['enforcement', 'disabled', 'dispatch', 'description', 'comment']);
/** Other files of the folder the verdicts lie in. */
const TAKEN = new Set(['ledger']);

export function readGates(raw: Record<string, unknown>): GateContract {
  const faults: GateFault[] = [];
  const surfaces = readSurfaces(raw.surfaces, faults);
  const items = raw.gates === undefined ? {} : raw.gates;
  if (!isRecord(items))
    faults.push({ path: 'gates', message: 'is not an object', cure: 'write "gates": { "<step>": { ... } }' });
  const entries = isRecord(items) ? Object.entries(items) : [];
  const names: Names = {
    steps: new Set(entries.map(([step]) => step)),
    checks: declaredChecks(raw.checks),
    surfaces: new Set([...BUILT_IN, ...CLASSES, ...surfaces.own.keys()]),
  };
  const folded = new Map<string, string>();
  const gates = entries.map(([step, item]) => {
    const twin = folded.get(step.toLowerCase());
    if (!STEP.test(step) || TAKEN.has(step.toLowerCase())) {
      faults.push({
        path: `gates.${step}`,
        message: TAKEN.has(step.toLowerCase())
          ? `"${step}" is a file of its own in .claude/state/gates`
          : 'a step is a short name of letters, digits, ".", "_" and "-"; this one would leave .claude/state/gates',
        cure: 'rename the step',
      });
    } else if (twin !== undefined) {
      faults.push({
        path: `gates.${step}`,
        message: `differs from ${twin} only in case: they would share one file`,
        cure: 'rename one of them',
      });
    }
    folded.set(step.toLowerCase(), step);
    return readGate(step, item, names, faults);
  });
  sharedMarkers(gates, faults);
  cycles(gates, faults);
  const lists = readLists(raw.gate, names, faults);
  return { gates: ordered(gates), ...lists, surfaces, faults };
}

export function refusals(contract: GateContract): GateFault[] {
  return contract.faults.filter(fault => fault.warning !== true);
}

function declaredChecks(value: unknown): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const item of Array.isArray(value) ? value : []) {
    if (!isRecord(item) || typeof item.id !== 'string') continue;
    found.set(item.id, Array.isArray(item.phases) ? item.phases.map(String) : ['green']);
  }
  return found;
}

function readGate(step: string, item: unknown, names: Names, faults: GateFault[]): Gate {
  const gate: Gate = {
    step,
    marker: null,
    checks: [],
    verdict: false,
    frozen: false,
    after: [],
    surface: null,
    enforcement: 'gating',
    disabled: null,
    dispatch: [],
  };
  const fault = (key: string, message: string, cure: string, warning?: true): void => {
    const path = key === '' ? `gates.${step}` : `gates.${step}.${key}`;
    faults.push({ path, message, cure, ...(warning ? { warning } : {}) });
  };
  if (!isRecord(item)) {
    fault('', 'is not an object', 'write { "marker": true } or another condition');
    return gate;
  }
  const own = new Set(CONDITIONS.map(condition => condition.key));
  for (const key of Object.keys(item)) {
    if (own.has(key) || OTHER_KEYS.has(key)) continue;
    fault(key, 'is no key of a gate and has no effect', 'remove it or correct its spelling', true);
  }
  if (item.enforcement !== undefined) {
    if (typeof item.enforcement === 'string' && ENFORCEMENTS.includes(item.enforcement))
      gate.enforcement = item.enforcement as Enforcement;
    else fault('enforcement', `is ${JSON.stringify(item.enforcement)}`, `write one of ${ENFORCEMENTS.join(', ')}`);
  }
  readDisabled(item.disabled, gate, fault);
  if (item.dispatch !== undefined) {
    const list = nameList(item.dispatch);
    if (list === null) fault('dispatch', 'is not a name or a list of names', 'name the command, skill or subagent');
    else gate.dispatch = list;
  }
  for (const condition of CONDITIONS) {
    if (item[condition.key] !== undefined) condition.read(item[condition.key], gate, names, fault);
  }
  if (!PROOF.some(key => item[key] !== undefined && item[key] !== false))
    fault('', 'asks for nothing', `give it one of ${PROOF.join(', ')}`);
  return gate;
}

function readDisabled(value: unknown, gate: Gate, fault: (key: string, message: string, cure: string) => void): void {
  if (value === undefined || value === false) return;
  const cause = typeof value === 'string' ? value.trim() : value === true ? 'disabled' : null;
  if (cause === null || cause === '') return fault('disabled', 'is not a cause', 'say why the gate is skipped');
  if (gate.enforcement === 'structural')
    return fault(
      'disabled',
      'a structural gate cannot be disabled',
      'remove "disabled", or the gate is not structural',
    );
  if (gate.enforcement === 'gating' && value === true)
    return fault('disabled', 'a gating gate is not disabled silently', 'write the cause: "disabled": "why"');
  gate.disabled = cause;
}

function sharedMarkers(gates: Gate[], faults: GateFault[]): void {
  const owner = new Map<string, string>();
  for (const { step, marker } of gates) {
    if (marker === null) continue;
    const first = owner.get(marker.toLowerCase());
    if (first === undefined) owner.set(marker.toLowerCase(), step);
    else {
      faults.push({
        path: `gates.${step}.marker`,
        message: `${marker} is the marker of ${first} too: one file cannot speak for two steps`,
        cure: 'give each its own, or write true',
      });
    }
  }
}

function cycles(gates: Gate[], faults: GateFault[]): void {
  const of = new Map(gates.map(gate => [gate.step, gate]));
  const done = new Set<string>();
  const visit = (step: string, path: string[]): void => {
    const at = path.indexOf(step);
    if (at >= 0) {
      const ring = [...path.slice(at), step];
      faults.push({
        path: `gates.${step}.after`,
        message: `gates wait for each other: ${ring.join(' -> ')}`,
        cure: 'take one of them out of "after"',
      });
      return;
    }
    if (done.has(step)) return;
    for (const next of of.get(step)?.after ?? []) visit(next, [...path, step]);
    done.add(step);
  };
  for (const { step } of gates) visit(step, []);
}

function ordered(gates: Gate[]): Gate[] {
  const of = new Map(gates.map(gate => [gate.step, gate]));
  const out = new Set<Gate>();
  const visit = (gate: Gate, open: Set<Gate>): void => {
    if (out.has(gate) || open.has(gate)) return;
    open.add(gate);
    for (const step of gate.after) {
      const next = of.get(step);
      if (next) visit(next, open);
    }
    out.add(gate);
  };
  for (const gate of gates) visit(gate, new Set());
  return [...out];
}

function readLists(value: unknown, names: Names, faults: GateFault[]): { stop: string[]; deliver: string[] } {
  const lists = { stop: [] as string[], deliver: [] as string[] };
  if (value === undefined) return lists;
  if (!isRecord(value)) {
    faults.push({
      path: 'gate',
      message: 'is not an object',
      cure: 'write "gate": { "stop": [...], "deliver": [...] }',
    });
    return lists;
  }
  for (const key of Object.keys(value)) {
    if (key === 'stop' || key === 'deliver') continue;
    faults.push({
      path: `gate.${key}`,
      message: 'has no effect',
      cure: 'gates are asked at "stop" and "deliver"',
      warning: true,
    });
  }
  for (const key of ['stop', 'deliver'] as const) {
    const list = value[key];
    if (list === undefined) continue;
    if (!Array.isArray(list) || list.some(step => typeof step !== 'string')) {
      faults.push({ path: `gate.${key}`, message: 'is not a list of steps', cure: 'write ["review"]' });
      continue;
    }
    for (const [index, step] of (list as string[]).entries()) {
      if (!names.steps.has(step)) {
        faults.push({
          path: `gate.${key}.${index}`,
          message: `unknown step "${step}"`,
          cure: `name one of the gates (${known(names.steps)})`,
        });
      }
    }
    lists[key] = [...new Set(list as string[])];
  }
  return lists;
}
