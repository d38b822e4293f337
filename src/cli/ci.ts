import { appendFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type CiReport, ci } from '../delivery/ci.ts';
import type { CiFinding } from '../delivery/ci-findings.ts';
import { type CliCommand, interruption, print, printJson, projectRoot } from './command.ts';
import { progress } from './progress.ts';

type Options = { base?: string; json?: boolean };

/** The verdict of a machine that believes only the base revision. */
export const ciCommand: CliCommand = {
  define(command: Command) {
    command
      .option('--base <ref>', 'the revision whose rules hold; a pull request names it itself')
      .option('--json', 'print the report as JSON')
      .action(act);
  },
};

async function act(options: Options): Promise<void> {
  const { env } = process;
  const line = progress(process.stderr, 'ci');
  const cancel = interruption();
  const report = await ci(projectRoot(), { base: options.base, env, onLine: line.show, cancel }).finally(line.end);
  if (options.json) printJson(report);
  else print(plain(report).join('\n'));
  if (env.GITHUB_ACTIONS === 'true' && !options.json) for (const text of annotations(report)) print(text);
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${summary(report).join('\n')}\n`);
  process.exitCode = report.ok ? 0 : 1;
}

const at = ({ path, line }: CiFinding): string => (line === undefined ? path : `${path}:${line}`);
const word = { fail: 'FAIL', allowed: 'allowed', note: 'note' } as const;

function plain(report: CiReport): string[] {
  const { base, head, runs, findings, stopped } = report;
  return [
    `${head?.slice(0, 7) ?? 'no commit'} by the rules of ${base ? `${base.ref} (${base.commit.slice(0, 7)})` : 'no base'}`,
    ...runs.flatMap(run => [
      `${run.passed ? 'PASS' : 'FAIL'}  ${run.what}: ${run.why}`,
      ...(run.passed || run.tail === ''
        ? []
        : run.tail
            .trimEnd()
            .split('\n')
            .map(text => `      ${text}`)),
    ]),
    ...findings.map(f => `${word[f.weight]}  ${f.kind} ${at(f)}: ${f.what}`),
    ...stopped.map(why => `FAIL  ${why}`),
    `Verdict: ${report.ok ? 'PASS' : 'FAIL'}`,
  ];
}

function annotations(report: CiReport): string[] {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const level = { fail: 'error', allowed: 'notice', note: 'notice' } as const;
  return [
    ...report.findings.map(
      f =>
        `::${level[f.weight]} file=${property(f.path)}${f.line ? `,line=${f.line}` : ''}::${escaped(`${f.kind}: ${f.what}`)}`,
    ),
    ...report.runs.filter(run => !run.passed).map(run => `::error::${escaped(`${run.what}: ${run.why}`)}`),
    ...report.stopped.map(why => `::error::${escaped(why)}`),
  ];
}

function summary(report: CiReport): string[] {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = [
    ...report.runs.map(r => `| ${r.passed ? 'PASS' : 'FAIL'} | ${cell(r.what)} | ${cell(r.why)} |`),
    ...report.findings.map(f => `| ${word[f.weight]} | ${cell(`${f.kind} ${at(f)}`)} | ${cell(f.what)} |`),
    ...report.stopped.map(why => `| FAIL | | ${cell(why)} |`),
  ];
  const by = report.base ? `Rules of \`${report.base.ref}\` (${report.base.commit.slice(0, 7)}).` : 'No base.';
  return [`## Touchstone: ${report.ok ? 'PASS' : 'FAIL'}`, '', by, '', '| | what | why |', '|---|---|---|', ...rows];
}
