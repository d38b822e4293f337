/** ed, ex, vi and their kind with a script that only looks. */
import { type Call, copyScope, fileText, type Machine, nothing, path, readBy, touch } from './machine.ts';
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
  if (!isKnown(input) || (steps.length === 0 && input === '')) {
    for (const step of steps) elsewhere(m, name, step, call);
    return false;
  }
  const lines = [...steps, input].flatMap(step => step.split(/[\n|]/));
  for (const step of [...steps, ...input.split('\n')]) elsewhere(m, name, step, call);
  return lines.every(line => QUITS.test(line) || LOOKS.test(line));
}

const ACTS = new RegExp(`^\\s*${RANGE}[wWre!]`);
const WRITES = new RegExp(String.raw`^\s*${RANGE}(?:w|wq|x|sav|saveas|up|update|W)!?\s+(?:>>\s*)?([^\s!|][^\s|]*)`);
const STARTS = new RegExp(String.raw`^\s*${RANGE}(?:(?:r|read|w|write|sil|silent|exe|execute)!?\s+)?!+(.+)`);
const CALLS = /\b(delete|writefile|rename|system|systemlist|mkdir)\s*\(([^()]*)\)/g;

/** Files other than the one that is edited, and programs: `w FILE`, `!cmd`, `call delete('f')`. */
function elsewhere(m: Machine, name: string, step: string, call: Call): void {
  const run = (text: string): void => {
    m.script(text, { ...call, scope: copyScope(call.scope), stdin: nothing });
  };
  // What follows a command of text goes into the file.
  if (name === 'ed' && !ACTS.test(step)) return;
  const started = STARTS.exec(step)?.[1];
  if (started !== undefined) run(started);
  const file = WRITES.exec(step.replace(/^\s*:+/, ''))?.[1];
  for (const piece of file === undefined ? step.split('|').slice(1) : []) {
    const other = WRITES.exec(piece)?.[1];
    if (other !== undefined) touch(m, call.scope, 'write', other, name);
  }
  if (file !== undefined) touch(m, call.scope, 'write', file, name);
  if (name === 'ed') return;
  for (const [, verb, args] of step.matchAll(CALLS)) {
    const words = [...args!.matchAll(/'([^']*)'|"([^"]*)"/g)].map(found => found[1] ?? found[2]!);
    if (/^system/.test(verb!)) run(words[0] ?? '');
    else if (verb === 'writefile') touch(m, call.scope, 'write', words.at(-1) ?? '', name);
    else
      for (const word of words)
        touch(m, call.scope, verb === 'mkdir' ? 'create' : 'delete', word, name, { deep: true });
  }
}
