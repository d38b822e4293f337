import { type Call, copyScope, type Machine, path, type Text, touch, unknown } from './machine.ts';
import { parseArgs } from './operands.ts';

export function ruff(m: Machine, args: string[], call: Call): void {
  const [verb, ...rest] = args;
  const dry = rest.some(arg => /^--(?:check|diff|no-fix)$/.test(arg));
  if (
    dry ||
    !(
      verb === 'format' ||
      (verb === 'check' &&
        rest.some(arg => /^--(?:fix|fix-only|unsafe-fixes|add-noqa)$/.test(arg) && arg !== '--unsafe-fixes'))
    )
  )
    return;
  const { operands, flags } = parseArgs(rest, {
    val: 'select ignore config exclude extend-exclude extend-select line-length target-version',
  });
  const left = [...(flags.get('exclude') ?? []), ...(flags.get('extend-exclude') ?? [])];
  m.start(['black', ...(operands.length > 0 ? operands : ['.']), ...left.map(glob => `--exclude=${glob}`)], call);
}

export function toolchain(m: Machine, name: string, args: string[], call: Call): Text {
  const { operands, flags } = parseArgs(args, {
    val:
      name === 'cargo'
        ? 'p package manifest-path'
        : name === 'go'
          ? `C run count timeout ${GO_STARTS} ${GO_WRITES}`
          : '',
    ...(name === 'go' ? { single: true as const } : {}),
  });
  const [verb, ...rest] = operands;
  const cwd = call.scope.cwd[0]!;
  const every = (ext: string): void => {
    m.effects.push({
      op: 'write',
      target: { kind: 'glob', pattern: `${cwd}/**/*${ext}` },
      via: `${name} ${verb}`,
      maybe: true,
      ...(m.span ? { span: m.span } : {}),
    });
  };
  if (
    name === 'cargo' &&
    (verb === 'fmt' || verb === 'fix' || (verb === 'clippy' && flags.has('fix'))) &&
    !flags.has('check')
  )
    every('.rs');
  else if (name === 'cargo' && verb === 'insta' && /^(?:accept|test|review)$/.test(rest[0] ?? '')) every('.snap');
  else if (name === 'go' && verb === 'fmt') {
    for (const operand of rest.length > 0 ? rest : ['.']) m.start(['gofmt', '-w', operand], call);
  } else if (name === 'go' && verb === 'run' && rest[0]) m.scripts.add(path(m, call.scope, rest[0]));
  else if (name === 'dotnet' && verb === 'format' && !flags.has('verify-no-changes')) every('.cs');
  else if (name === 'mix' && verb === 'format' && !flags.has('check-formatted')) every('.ex*');
  else if (name === 'dart' && verb === 'format' && !flags.has('output'))
    for (const operand of rest) touch(m, call.scope, 'write', operand, 'dart format', { deep: true });
  for (const [flag, values] of name === 'go' ? flags : []) {
    const own = flag.replace(/^test\./, '');
    for (const value of values)
      if (GO_WRITES.split(' ').includes(own)) touch(m, call.scope, 'write', value, `go -${own}`);
      else if (GO_STARTS.split(' ').includes(own)) m.script(value, { ...call, scope: copyScope(call.scope) });
  }
  return unknown;
}

const GO_STARTS = 'exec toolexec vettool';
const GO_WRITES = 'o trace coverprofile cpuprofile memprofile blockprofile mutexprofile outputdir';
