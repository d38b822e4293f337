/** What simple stream edits make of a text: substitutions, deletions and insertions by line. Pure text. */
import { beyond, LETTERS, type Replacement, type Substitution } from './line-edits.ts';
import { perlSubstitutions } from './perl-edits.ts';
import { toRegExp } from './posix-expression.ts';

type Action =
  | Substitution
  | { kind: 'y'; map: Map<string, string> }
  | { kind: 'd' | 'p' | 'q' }
  | { kind: 'a' | 'i' | 'c'; text: string };
type Address = { line: number } | { last: true } | { re: RegExp };
type Step = { first?: Address; second?: Address | { plus: number }; not: boolean; action: Action };

type Edit = (text: string) => string;

/** The effect of a sed program; null for one that uses more than line edits. */
export function sedEdit(program: string, extended: boolean, quiet: boolean): Edit | null {
  try {
    const steps = sedSteps(program, extended);
    return text => run(text, steps, quiet);
  } catch {
    return null;
  }
}

/** The effect of `perl -pe` where its code is substitutions alone; `whole` is the slurp mode `-0777`. */
export function perlEdit(code: string, whole: boolean): Edit | null {
  try {
    const actions = perlSubstitutions(code);
    return text =>
      whole
        ? actions.reduce((t, s) => substitute(t, s)[0], text)
        : run(
            text,
            actions.map(action => ({ not: false, action })),
            false,
          );
  } catch {
    return null;
  }
}

function run(text: string, steps: Step[], quiet: boolean): string {
  const ended = text.endsWith('\n');
  const lines = (ended ? text.slice(0, -1) : text).split('\n');
  if (text === '') return '';
  const out: string[] = [];
  const open = new Map<Step, number>();
  for (let n = 1; n <= lines.length; n++) {
    let line = lines[n - 1]!;
    const after: string[] = [];
    let gone = false;
    let stop = false;
    for (const step of steps) {
      if (applies(step, line, n, lines.length, open) === step.not) continue;
      const { action } = step;
      if (action.kind === 's') {
        const [next, done] = substitute(line, action);
        line = next;
        if (done && action.print) out.push(line);
      } else if (action.kind === 'y') line = [...line].map(c => action.map.get(c) ?? c).join('');
      else if (action.kind === 'p') out.push(line);
      else if (action.kind === 'i') out.push(action.text);
      else if (action.kind === 'a') after.push(action.text);
      else if (action.kind === 'c') {
        // A range is replaced once, at its end.
        if (step.second === undefined || step.not || !open.has(step)) out.push(action.text);
        gone = true;
        break;
      } else if (action.kind === 'd') {
        gone = true;
        break;
      } else {
        stop = true;
        break;
      }
    }
    if (!gone && !quiet) out.push(line);
    out.push(...after);
    if (stop) break;
  }
  return out.length === 0 ? '' : out.join('\n') + (ended ? '\n' : '');
}

/** `open` holds the last line of a range that has begun, or infinity while only a pattern ends it. */
function applies(step: Step, line: string, n: number, last: number, open: Map<Step, number>): boolean {
  const hit = (at: Address): boolean => ('line' in at ? at.line === n : 'last' in at ? n === last : at.re.test(line));
  const { first, second } = step;
  if (first === undefined) return true;
  if (second === undefined) return hit(first);
  const until = open.get(step);
  if (until === undefined) {
    if (!hit(first)) return false;
    const end =
      'plus' in second
        ? n + second.plus
        : 'line' in second
          ? second.line
          : 'last' in second
            ? last
            : Number.POSITIVE_INFINITY;
    if (end > n) open.set(step, end);
    return true;
  }
  if ('re' in second ? second.re.test(line) : n >= until) open.delete(step);
  return true;
}

function substitute(line: string, { re, by, nth, all }: Substitution): [string, boolean] {
  let count = 0;
  let done = false;
  const text = line.replace(re, (...found: unknown[]) => {
    count++;
    if (count < nth || (count > nth && !all)) return found[0] as string;
    done = true;
    return by.map(part => (typeof part === 'string' ? part : ((found[part] as string | undefined) ?? ''))).join('');
  });
  return [text, done];
}

function sedSteps(program: string, extended: boolean): Step[] {
  const steps: Step[] = [];
  let i = 0;
  const skip = (set: RegExp): void => {
    while (i < program.length && set.test(program[i]!)) i++;
  };
  const until = (end: string): string => {
    let text = '';
    for (let inSet = false; program[i] !== end || inSet; i++) {
      const c = program[i] ?? beyond();
      if (c === '\\') {
        const next = program[++i] ?? beyond();
        text +=
          next === end && !/[\\&\n\w]/.test(next) ? (/[.*[\]^$+?(){}|]/.test(next) ? `\\${next}` : next) : `\\${next}`;
        continue;
      }
      if (c === '[') inSet = true;
      else if (c === ']') inSet = false;
      text += c;
    }
    i++;
    return text;
  };
  /** A replacement has no sets. */
  const plainUntil = (end: string): string => {
    let text = '';
    for (; program[i] !== end; i++) {
      const c = program[i] ?? beyond();
      text += c === '\\' ? c + (program[++i] ?? beyond()) : c;
    }
    i++;
    return text;
  };
  const address = (): Address | undefined => {
    const number = /^\d+/.exec(program.slice(i))?.[0];
    if (number !== undefined) {
      i += number.length;
      return number === '0' || program[i] === '~' ? beyond() : { line: Number(number) };
    }
    if (program[i] === '$') {
      i++;
      return { last: true };
    }
    if (program[i] === '/' || program[i] === '\\') {
      if (program[i] === '\\') i++;
      const source = until(program[i++] ?? beyond());
      const fold = program[i] === 'I';
      if (fold) i++;
      return { re: toRegExp(source, extended, fold ? 'i' : '') };
    }
    return undefined;
  };
  const ends = (): void => {
    skip(/[ \t]/);
    if (i < program.length && !/[;\n#]/.test(program[i]!)) beyond();
  };
  while (i < program.length) {
    skip(/[\s;]/);
    if (i >= program.length) break;
    if (program[i] === '#') {
      while (i < program.length && program[i] !== '\n') i++;
      continue;
    }
    const first = address();
    let second: Step['second'];
    skip(/[ \t]/);
    if (first && program[i] === ',') {
      i++;
      skip(/[ \t]/);
      if (program[i] === '+') {
        const plus = /^\d+/.exec(program.slice(++i))?.[0] ?? beyond();
        i += plus.length;
        second = { plus: Number(plus) };
      } else second = address() ?? beyond();
      skip(/[ \t]/);
    }
    const not = program[i] === '!';
    if (not) i++;
    skip(/[ \t]/);
    const verb = program[i++] ?? beyond();
    const step = (action: Action): void => {
      steps.push({ ...(first ? { first } : {}), ...(second ? { second } : {}), not, action });
    };
    if (verb === 's' || verb === 'y') {
      const end = program[i++] ?? beyond();
      if (verb === 'y') {
        const from = [...unescaped(plainUntil(end), end)];
        const to = [...unescaped(plainUntil(end), end)];
        step({ kind: 'y', map: new Map(from.map((c, k) => [c, to[k] ?? beyond()])) });
      } else {
        const source = until(end);
        const by = sedReplacement(plainUntil(end), end);
        const flags = /^[gpIi\d]*/.exec(program.slice(i))![0];
        i += flags.length;
        step({
          kind: 's',
          re: toRegExp(source, extended, /i/i.test(flags) ? 'gi' : 'g'),
          by,
          nth: Number(/\d+/.exec(flags)?.[0] ?? 1),
          all: flags.includes('g'),
          print: flags.includes('p'),
        });
      }
      ends();
    } else if (verb === 'd' || verb === 'p' || verb === 'q') {
      step({ kind: verb });
      ends();
    } else if (verb === 'a' || verb === 'i' || verb === 'c') {
      const rest = /^[ \t]*(?:\\\n?[ \t]*)?((?:\\\n|[^\n])*)/.exec(program.slice(i))!;
      i += rest[0].length;
      step({ kind: verb, text: unescaped(rest[1]!, '') });
    } else beyond();
  }
  return steps;
}

const unescaped = (text: string, end: string): string =>
  text.replace(/\\([\s\S])/g, (all, c: string) => LETTERS[c] ?? (c === end || !/\w/.test(c) ? c : all));

function sedReplacement(text: string, end: string): Replacement {
  const out: Replacement = [];
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '&') out.push(0);
    else if (c !== '\\') out.push(c);
    else {
      const next = text[++i]!;
      if (/\d/.test(next)) out.push(Number(next));
      else if (LETTERS[next] !== undefined && next !== end) out.push(LETTERS[next]!);
      else if (/\w/.test(next) && next !== end) beyond();
      else out.push(next);
    }
  }
  return out;
}
