import type { Invocation } from '../shell/effect.ts';

/** The words of the program that writes; of the whole line where it only puts in place what another made. */
export function writerWords(via: string, invocations: readonly Invocation[]): string {
  const all = invocations.filter(({ argv }) => !onlyAsks(argv));
  const [program = '', verb] = via.split(' ');
  const own = all.filter(({ argv }) => argv[0]?.slice(argv[0].lastIndexOf('/') + 1) === program);
  if (verb === 'pkg')
    return own
      .filter(({ argv }) => argv[1] === verb)
      .map(({ argv }) => argv.join('\0'))
      .join('\u0001');
  return (own.length === 0 || /^(?:mv|cp|install|ln|tee|sponge)$/.test(program) ? all : own)
    .map(({ argv, code = '' }) => `${argv.join(' ')} ${code}`)
    .join('\n');
}

/** `npm pkg get scripts.test`, `jq .scripts.test`: a key that is asked for is not one that is set. */
const onlyAsks = ([program, verb, more, ...rest]: string[]): boolean =>
  verb === 'pkg'
    ? more === 'get'
    : program === 'grep' || (program === 'jq' && !/[=|({]/.test([verb, more, ...rest].join(' ')));
