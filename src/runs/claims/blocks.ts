import type { Span } from './types.ts';

export type Block =
  | ({ type: 'text' } & Span)
  | ({ type: 'item'; ticked: boolean | null; glyph: boolean } & Span)
  | ({ type: 'heading'; level: number } & Span)
  | ({ type: 'quote' } & Span)
  | ({ type: 'row'; cells: Span[] } & Span)
  | ({ type: 'fence'; info: string } & Span);

const ITEM = /^(\s*)(?:[-*+•·▪◦‣]|\d{1,3}[.)、]|[a-z]\))\s+/;
const BOX = /^\[([ xX✓✔-])\]\s*/;
const GLYPH = /^(?:✅|💚|🟩|✔️?|✓|☑️?|🟢|:white_check_mark:|:heavy_check_mark:|👍|🎉)\s*/u;
const ATX = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$/;
const TERMINATED = /[.!?:;。！？：；…]["')\]*_`]*\s*$/;

function cells(line: string, start: number): Span[] {
  const spans: Span[] = [];
  let from = line.indexOf('|') === line.search(/\S/) ? line.indexOf('|') + 1 : 0;
  let code = false;
  for (let i = from; i <= line.length; i++) {
    if (line[i] === '`') code = !code;
    if (i < line.length && (line[i] !== '|' || code || line[i - 1] === '\\')) continue;
    if (i === line.length && !line.slice(from).trim()) break;
    spans.push({ start: start + from, end: start + i });
    from = i + 1;
  }
  return spans;
}

/** Cuts `message[from, to)` into blocks, each with offsets into the message. */
export function blocks(message: string, from: number, to: number): Block[] {
  const out: Block[] = [];
  let fence: { mark: string; info: string; start: number } | null = null;
  let at = from;
  let open = false;
  while (at < to) {
    let stop = message.indexOf('\n', at);
    if (stop < 0 || stop > to) stop = to;
    const line = message.slice(at, stop);
    const next = stop + 1;
    const mark = /^\s*(`{3,}|~{3,})\s*([^\s`]*)/.exec(line);
    if (fence) {
      if (mark && mark[1]!.startsWith(fence.mark) && !mark[2]) {
        out.push({ type: 'fence', info: fence.info, start: fence.start, end: Math.max(fence.start, at - 1) });
        fence = null;
      }
      at = next;
      continue;
    }
    if (mark) {
      fence = { mark: mark[1]!, info: mark[2]!.toLowerCase(), start: Math.min(next, to) };
      open = false;
      at = next;
      continue;
    }
    if (!line.trim()) open = false;
    else {
      const previous = out.at(-1);
      const heading = ATX.exec(line);
      const indent = line.search(/\S/);
      if (heading) {
        const begin = at + line.indexOf(heading[2]!, heading[1]!.length);
        out.push({ type: 'heading', level: heading[1]!.length, start: begin, end: begin + heading[2]!.length });
        open = false;
      } else if (line[indent] === '>') {
        out.push({ type: 'quote', start: at + indent + 1, end: stop });
        open = false;
      } else if (
        (line[indent] === '|' && line.indexOf('|', indent + 1) > 0) ||
        (previous?.type === 'row' && open && line.includes('|')) ||
        (line.includes(' | ') &&
          RULE.test(message.slice(next, (message.indexOf('\n', next) + 1 || to + 1) - 1)) &&
          message.slice(next, next + 400).includes('-'))
      ) {
        if (!RULE.test(line)) out.push({ type: 'row', cells: cells(line, at), start: at, end: stop });
        open = true;
      } else {
        const bullet = ITEM.exec(line);
        const body = line.slice(bullet ? bullet[0].length : indent);
        const box = BOX.exec(body);
        const glyph = GLYPH.exec(body);
        const begin = at + (bullet ? bullet[0].length : indent);
        if (bullet || glyph) {
          out.push({
            type: 'item',
            ticked: box ? !/[ -]/.test(box[1]!) : null,
            glyph: glyph !== null,
            start: begin + (box ? box[0].length : 0),
            end: stop,
          });
          open = true;
        } else if (
          open &&
          previous &&
          (previous.type === 'text' || previous.type === 'item') &&
          /^[\p{Ll}(]/u.test(body) &&
          !TERMINATED.test(message.slice(Math.max(previous.start, previous.end - 12), previous.end))
        )
          previous.end = stop;
        else {
          out.push({ type: 'text', start: begin, end: stop });
          open = true;
        }
      }
    }
    at = next;
  }
  if (fence) out.push({ type: 'fence', info: fence.info, start: fence.start, end: to });
  return out;
}

const STOP = /[.!?。！？…]+["'”’)\]*_`]*(?=\s|$|[\p{Lo}])|[。！？]+|\n/gu;
const SHORT = /(?:\b(?:e\.g|i\.e|vs|etc|cf|no|approx|resp|incl|z\.B|bzw|ca|Mr|Dr|St|p\.ej|ej)|(?:^|\s)[A-Za-z0-9])\.$/;

/** A full stop inside a quotation ends no sentence, where the quotation is closed soon after. */
function quoteOpen(text: string, from: number, to: number): boolean {
  const open = text.slice(Math.max(from, to - 300), to);
  if (open.split('“').length > open.split('”').length) return text.slice(to, to + 200).includes('”');
  return open.split('"').length % 2 === 0 && /^[^"\n]{1,200}"/.test(text.slice(to, to + 202));
}

/** The sentences of a stretch, trimmed, with their closing mark. */
export function sentences(message: string, start: number, end: number): Span[] {
  const text = message.slice(start, end);
  const out: Span[] = [];
  let from = 0;
  const push = (to: number) => {
    let a = from;
    let b = to;
    while (a < b && /\s/.test(text[a]!)) a++;
    while (b > a && /\s/.test(text[b - 1]!)) b--;
    if (a < b) out.push({ start: start + a, end: start + b });
    from = to;
  };
  const quotes = text.includes('"') || text.includes('“');
  STOP.lastIndex = 0;
  for (let m = STOP.exec(text); m; m = STOP.exec(text)) {
    const to = m.index + m[0].length;
    if (m[0] === '.' && SHORT.test(text.slice(Math.max(0, to - 8), to)) && to < text.length) {
      // "v. 3" and "e.g. this" go on; a one-letter word at the very end does not.
      if (!/\s\S\.$/.test(text.slice(Math.max(0, to - 3), to)) || /^\s+[a-z]/.test(text.slice(to, to + 3))) continue;
    }
    if (/^\.+/.test(m[0]) && /^\s+[a-z]/.test(text.slice(to, to + 4)) && m[0].startsWith('..')) continue;
    if (quotes && quoteOpen(text, from, to)) continue;
    push(to);
  }
  push(text.length);
  return out;
}
