/** ed, ex, vi and their kind with a script that only looks. */
import { type Call, fileText, type Machine, path, readBy } from './machine.ts';
import { isKnown } from './marks.ts';
import { parseArgs } from './operands.ts';

const RANGE = String.raw`(?:[\d.$%,;+\-\s]|'\w|\/(?:[^/\\]|\\.)*\/|\?[^?]*\?)*`;
const LOOKS = new RegExp(
  String.raw`^\s*(?:${RANGE}(?:p|print|P|nu|number|n|l|list|#|=|k\w)?|[vg]\/(?:[^/\\]|\\.)*\/[pnl#]?|se(?:t|tlocal)?\s+[\w ]+|echo\b[^!|]*|noh\w*|syn\w*\s+\w+|[hHP])\s*$`,
);
const QUITS = /^\s*(?:q|qa|quit|qall|cq|cquit|Q)!?\s*$/;

/** True where the whole script is told and nothing in it writes or starts a program. */
export function onlyLooks(m: Machine, name: string, args: string[], call: Call): boolean {
  const { flags } = parseArgs(args, { val: name === 'ed' ? 'p' : 'c u U S cmd i' });
  const typed = args.filter(arg => /^\+./.test(arg)).map(arg => arg.slice(1));
  const steps = [...(flags.get('cmd') ?? []), ...(flags.get('c') ?? []), ...(name === 'ed' ? [] : typed)];
  for (const file of flags.get('S') ?? []) steps.push(fileText(m, path(m, call.scope, file)) ?? '!');
  const done = steps.some(step => QUITS.test(step));
  const input = done ? '' : call.stdin();
  if (isKnown(input)) readBy(m, input);
  if (!isKnown(input) || (steps.length === 0 && input === '')) return false;
  const lines = [...steps, input].flatMap(step => step.split(/[\n|]/));
  return lines.every(line => QUITS.test(line) || LOOKS.test(line));
}
