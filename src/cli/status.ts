import type { Command } from 'commander';
import { readProject } from '../config/project.ts';
import { isAccepted, trustHash } from '../config/trust.ts';
import { evaluate } from '../gates/eval.ts';
import { TERMINAL } from '../gates/floors.ts';
import type { GateFile } from '../gates/gate.ts';
import { readSessions } from '../gates/session.ts';
import { readHalt } from '../gates/signals.ts';
import { doctor } from '../install/doctor.ts';
import { type Freshness, freshness } from '../verdict/freshness.ts';
import { type Standing, standing } from '../verdict/standing.ts';
import { wiredNow } from '../wiring.ts';
import { age } from './age.ts';
import { type CliCommand, print, printJson, projectRoot } from './command.ts';
import { gateTable } from './gate-table.ts';
import { counts } from './inline-report.ts';

export const status: CliCommand = {
  define(command: Command) {
    command.option('--json', 'print it as JSON').action((options: { json?: boolean }) => act(options));
  },
};

export type Status = {
  root: string;
  verdict: 'PASS' | 'FAIL' | 'NONE' | 'UNATTESTED' | 'UNREADABLE';
  why: string | null;
  stampedAt: string | null;
  command: string | null;
  counts: string | null;
  tree: Freshness;
  streak: number;
  accepted: boolean;
  wired: { file: string; hooks: number }[];
  unverified: string | null;
};

/** Exit 0 only for a fresh, attested PASS. */
async function act(options: { json?: boolean }): Promise<void> {
  const root = projectRoot();
  const now = readStatus(root);
  const { gates, faults } = await evaluate(root);
  const deaf = now.wired.length > 0 ? await unheard(root, now.wired) : null;
  if (options.json) printJson({ ...now, hooksOff: deaf, gates });
  else print([...lines(now, deaf), ...gateLines(root, gates, faults)].join('\n'));
  process.exitCode = now.verdict === 'PASS' && now.tree === 'fresh' ? 0 : 1;
}

export function readStatus(root: string): Status {
  const { project } = readProject(root);
  const now = standing(root, project);
  const sidecar = 'sidecar' in now ? now.sidecar : null;
  const session = readSessions(root)
    .sessions.filter(s => s.id !== TERMINAL)
    .at(-1);
  return {
    root,
    verdict: word(now),
    why: 'why' in now ? (now.why ?? null) : (sidecar?.reason ?? null),
    stampedAt: 'stamp' in now ? now.stamp.at : null,
    command: 'stamp' in now ? now.stamp.command : project.test.cmd || null,
    counts: sidecar?.counts ? counts(sidecar) : null,
    tree: freshness(root, project.claims.paths, now),
    streak: sidecar?.streak ?? 0,
    accepted: isAccepted(root, trustHash(root)),
    wired: wiredNow(root).map(w => ({ file: w.file, hooks: w.hooks.length })),
    unverified: session?.unverified ? `${session.unverified.why} at ${session.unverified.at}` : null,
  };
}

/** Why the client runs none of the hooks that are written down. */
async function unheard(root: string, wired: Status['wired']): Promise<string | null> {
  const { findings } = await doctor({ start: root, only: ['settings', 'disabled'] });
  const against = findings.filter(f => f.status === 'fail');
  const off =
    against.find(f => f.check === 'disabled') ?? against.find(f => wired.every(w => f.line.startsWith(w.file)));
  return off ? off.line.replace(/: no hook runs$/, '') : null;
}

function gateLines(
  root: string,
  gates: readonly GateFile[],
  faults: readonly { path: string; message: string }[],
): string[] {
  if (faults.length > 0)
    return [
      `gates     refused: .claude/project.json at ${faults[0]!.path}: ${faults[0]!.message} (touchstone config validate)`,
    ];
  const halt = readHalt(root);
  const halted = halt === null ? [] : [`halt      ${halt.class}: ${halt.reason}`];
  return gates.length === 0 ? halted : [...halted, ...gateTable(gates)];
}

function word(now: Standing): Status['verdict'] {
  const words = { none: 'NONE', corrupt: 'UNREADABLE', fail: 'FAIL', unattested: 'UNATTESTED', pass: 'PASS' } as const;
  return words[now.kind];
}

function lines(s: Status, deaf: string | null): string[] {
  const row = (name: string, value: string) => `${name.padEnd(9)} ${value}`;
  const out = [
    row(
      'verdict',
      s.verdict === 'NONE' ? 'none yet: run `touchstone verify`' : s.verdict + (s.why ? ` (${s.why})` : ''),
    ),
  ];
  if (s.stampedAt) out.push(row('stamped', `${s.stampedAt}, ${age(s.stampedAt)} ago`));
  if (s.command) out.push(row('command', s.command));
  if (s.counts) out.push(row('tests', s.counts));
  if (s.verdict === 'PASS') {
    const tree = {
      fresh: 'fresh: the tree that passed',
      moved: 'moved: the PASS is stale, run `touchstone verify`',
      unknown: 'cannot be compared',
    };
    out.push(row('tree', tree[s.tree]));
  }
  if (s.streak > 1) out.push(row('streak', `FAIL ${s.streak} times in a row`));
  if (!s.accepted) out.push(row('rules', 'not accepted: a human runs `touchstone config accept`'));
  out.push(
    row(
      'hooks',
      s.wired.length === 0
        ? 'not wired: run `touchstone init`'
        : s.wired.map(w => `${w.hooks} in ${w.file}`).join(', '),
    ),
  );
  if (deaf) out.push(row('', `none of them runs: ${deaf}`));
  if (s.unverified) out.push(row('last end', `UNVERIFIED: ${s.unverified}`));
  return out;
}
