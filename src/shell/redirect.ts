/** Where a command reads from and prints to. */
import type { Redirection } from 'unbash';
import { type Call, type Machine, nothing, once, path, paths, type Text, textAsOfNow, touch } from './machine.ts';
import { alternatives, isKnown, UNKNOWN } from './marks.ts';
import { heredoc, single, target } from './words.ts';

export const concat = (texts: Text[]): Text => {
  const real = texts.filter(text => text !== nothing);
  return real.length === 0 ? nothing : real.length === 1 ? real[0]! : () => real.map(text => text()).join('');
};

export type Streams = { stdin: Text; outputs: { file: string; append: boolean }[] };

export function redirect(m: Machine, list: readonly Redirection[], call: Call): Streams {
  const streams: Streams = { stdin: call.stdin, outputs: [] };
  for (const item of list) {
    if (m.inText) m.span = [item.pos, item.end];
    if (item.type === 'HereDoc') {
      const body = heredoc(
        m,
        item.body as Parameters<typeof heredoc>[1],
        item.delimiter?.quoted ?? false,
        item.operator === '<<-',
        call,
      );
      streams.stdin = () => body;
      continue;
    }
    if (!item.target) continue;
    if (item.type === 'HereString') {
      const body = `${single(m, item.target, call)}\n`;
      streams.stdin = () => body;
      continue;
    }
    const word = target(m, item.target, call);
    const fd = item.descriptor?.type === 'FileDescriptor' ? item.descriptor.value : undefined;
    if (item.descriptor?.type === 'FileDescriptorVariable') call.scope.vars.set(item.descriptor.name, ['10']);
    if (item.operator === '<') {
      const text = textAsOfNow(m, path(m, call.scope, word));
      streams.stdin = once(() => text() ?? UNKNOWN);
      continue;
    }
    if (item.operator === '<&') continue;
    if (item.operator === '>&' && (/^[\d-]+-?$/.test(word) || !isKnown(word))) continue;
    const append = item.operator === '>>' || item.operator === '&>>';
    const stdout = fd === undefined || fd === 1;
    for (const option of alternatives(word)) {
      const content: { text?: Text } = {};
      const extra = stdout ? { content: () => known(content.text?.()) } : {};
      touch(m, call.scope, 'write', option, item.operator === '<>' ? '<>' : append ? '>>' : '>', {
        ...extra,
        ...(append ? { append: true as const } : {}),
      });
      if (stdout) {
        for (const file of paths(m, call.scope, option)) {
          streams.outputs.push({ file, append });
          // Emptied before the command starts: it may be what the command reads.
          if (!append) m.files.set(file, nothing);
        }
        pending.set(streams, [...(pending.get(streams) ?? []), content]);
      }
    }
  }
  return streams;
}

const pending = new WeakMap<Streams, { text?: Text }[]>();
const known = (text: string | undefined): string | undefined =>
  text !== undefined && isKnown(text) ? text : undefined;

/** Sends what was printed where the redirections point. */
export function deliver(m: Machine, streams: Streams, out: Text): Text {
  for (const content of pending.get(streams) ?? []) content.text = out;
  if (streams.outputs.length === 0) return out;
  for (const { file, append } of streams.outputs) {
    const before = append ? m.files.get(file) : undefined;
    const old = append && !before ? textAsOfNow(m, file)() : undefined;
    m.files.set(file, before ? concat([before, out]) : old ? () => old + out() : out);
  }
  return nothing;
}
