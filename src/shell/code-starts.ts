import { isPunct } from './brackets.ts';
import type { Reader } from './code-reader.ts';
import { flat, type Value } from './code-texts.ts';
import { evaluate } from './code-values.ts';
import { copyScope, nothing } from './machine.ts';
import { UNKNOWN } from './marks.ts';

export function run(r: Reader, code: string): void {
  if (code.replaceAll(UNKNOWN, '') === '') return;
  r.m.script(code, {
    ...r.call,
    scope: { ...copyScope(r.call.scope), functions: new Map(), aliases: new Map() },
    stdin: nothing,
  });
}

/** `system("..")` is shell text; a list, or several words, is an argv. */
export function execute(r: Reader, args: [number, number][]): void {
  const plain = args.filter(
    ([a]) => !(r.tokens[a]?.kind === 'i' && isPunct(r.tokens[a + 1], '=')) && !isPunct(r.tokens[a], '{'),
  );
  const values = plain.map(([a, b]) => evaluate(r, a, b));
  const [first, second] = values;
  if (!first) return;
  const argvOf = (value: Value): string[] => (value.list ?? []).map(one => flat(one)[0] ?? UNKNOWN);
  const start = (argv: string[]): void => {
    if (argv.length > 0)
      r.m.start(argv, {
        ...r.call,
        scope: { ...copyScope(r.call.scope), functions: new Map(), aliases: new Map() },
        stdin: nothing,
      });
  };
  if (first.list) start(argvOf(first));
  else if (second?.list) start([flat(first)[0] ?? UNKNOWN, ...argvOf(second)]);
  else if (values.length > 1 && r.language !== 'js' && r.language !== 'python')
    start(values.map(value => flat(value)[0] ?? UNKNOWN));
  else for (const one of flat(first).slice(0, 8)) run(r, one);
}
