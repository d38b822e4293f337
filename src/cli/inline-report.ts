import type { Sidecar } from '../verdict/sidecar.ts';

/** The report a caller shows beside the stamp (seed 003): for people; the statefile is what binds. */
export function inlineReport(verdict: Sidecar, notes: readonly string[]): string {
  const fence = '`'.repeat(Math.max(3, longestRun(verdict.tail) + 1));
  const parts = [
    `# Verify — ${verdict.slug}`,
    `## Verdict: ${verdict.verdict}`,
    `## Command\n\`${verdict.command}\``,
    `## Exit code\n${verdict.exitCode}`,
  ];
  if (verdict.counts) parts.push(`## Tests\n${counts(verdict)}`);
  parts.push(`## Output tail (last 80 lines)\n${fence}\n${verdict.tail.replace(/\n+$/, '')}\n${fence}`);
  if (verdict.verdict === 'FAIL') parts.push(`## Reason\n${verdict.class}: ${verdict.reason ?? 'not given'}`);
  if (notes.length > 0) parts.push(`## Notes\n${notes.map(n => `- ${n}`).join('\n')}`);
  return parts.join('\n\n') + '\n';
}

export function counts(verdict: Pick<Sidecar, 'counts' | 'runner'>): string {
  const c = verdict.counts;
  if (!c) return 'not counted';
  const words = Object.entries(c).filter(([name, n]) => n > 0 || name === 'passed' || name === 'failed');
  return `${words.map(([name, n]) => `${n} ${name}`).join(', ')} (${verdict.runner ?? 'unknown runner'})`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length));
}
