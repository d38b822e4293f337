import { type Call, type Machine, type Text, touch, unknown } from './machine.ts';

/** Test runners change files only when asked to rewrite what they expect. */
export function runner(m: Machine, name: string, args: string[], call: Call): Text {
  const updates: Record<string, RegExp> = {
    jest: /^(?:-\w*u\w*(?:=|$)|--u(?:=|$)|--updateSnapshot|--update-snapshot|--update)/,
    vitest: /^(?:-\w*u\w*(?:=|$)|--u(?:=|$)|--update)/,
    ava: /^(?:-u$|--update-snapshots)/,
    tap: /^(?:-S$|--snapshot)/,
    pytest:
      /^(?:--snapshot-update|--inline-snapshot|--force-regen|--regen-all|--update-snapshots?|--update-golden|--overwrite-)/,
    playwright: /^(?:-u$|--update-snapshots)/,
    phpunit: /^-d--update-snapshots/,
  };
  const wants = updates[name === 'py.test' ? 'pytest' : name];
  if (wants && args.some(arg => wants.test(arg) && !/=(?:none|false|fail)$/.test(arg))) {
    const cwd = call.scope.cwd[0]!;
    const python = name.startsWith('py');
    for (const pattern of python
      ? ['**/__snapshots__/**', '**/*.ambr', '**/snapshots/**']
      : ['**/__snapshots__/**', '**/*.snap', '**/*-snapshots/**'])
      m.effects.push({
        op: 'write',
        target: { kind: 'glob', pattern: `${cwd}/${pattern}` },
        via: `${name} ${args.find(arg => wants.test(arg))}`,
        ...(m.span ? { span: m.span } : {}),
      });
  }
  for (const [i, arg] of args.entries()) {
    const out =
      /^--(?:outputFile(?:\.\w+)?|output-file|junit-xml|junitxml|json-report-file|result-log|log-file|html|coverageDirectory|coverage\.reportsDirectory|cov-report|basetemp|debug|alluredir|output)[= ](?:xml:|html:|json:|lcov:)?(.+)$/.exec(
        /=|^--debug$/.test(arg) || (args[i + 1] ?? '-').startsWith('-') ? arg : `${arg} ${args[i + 1]}`,
      ) ?? /(?:^|^-o|^--override-ini=)(?:log_file|cache_dir)=(.+)$/.exec(arg);
    if (out && !/^(?:term|xml$|html$|annotate)/.test(out[1]!)) touch(m, call.scope, 'write', out[1]!, name);
  }
  return unknown;
}
