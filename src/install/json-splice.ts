// The package's main file is UMD and hides its own imports from a bundler.
import { createScanner, type Node, parseTree } from 'jsonc-parser/lib/esm/main.js';

/**
 * Insertions into and removals from JSON text that leave every other byte alone. The library's own edits re-format the
 * lines they touch; these do not.
 */

/** A place in the text before the edit, and what goes there. */
export type Insertion = { at: number; text: string };
/** A stretch of the text after the edit that an insertion made. */
export type Span = { at: number; length: number };

// Token kinds of the scanner; its own enum exists in types only.
const COMMA = 5;
const LINE_COMMENT = 12;
const LINE_BREAK = 14;
const TRIVIA = 15;
const EOF = 17;

export function applyInsertions(text: string, insertions: readonly Insertion[]): { text: string; spans: Span[] } {
  const spans: Span[] = [];
  let out = '';
  let from = 0;
  for (const { at, text: added } of [...insertions].sort((a, b) => a.at - b.at)) {
    out += text.slice(from, at);
    spans.push({ at: out.length, length: added.length });
    out += added;
    from = at;
  }
  return { text: out + text.slice(from), spans };
}

export function undoInsertions(text: string, spans: readonly Span[]): string {
  let out = '';
  let from = 0;
  for (const { at, length } of [...spans].sort((a, b) => a.at - b.at)) {
    out += text.slice(from, at);
    from = at + length;
  }
  return out + text.slice(from);
}

/** How the file is laid out. `compact`: everything on one line. */
export type Layout = { unit: string; eol: string; compact: boolean };

export function layoutOf(text: string, root: Node | undefined): Layout {
  const eol = /\r\n|\n/.exec(text)?.[0] ?? '\n';
  const first = root?.children?.[0];
  const lead = first && leadingSpace(text, first.offset);
  return { unit: lead || '  ', eol, compact: first !== undefined && !slice(text, root).includes('\n') };
}

/** Rendered members for an object (`"key": value`) or an array, placed after what is there. */
export function insertMembers(
  text: string,
  container: Node,
  members: readonly { key?: string; value: unknown }[],
  layout: Layout,
): Insertion[] {
  const children = container.children ?? [];
  const close = container.offset + container.length - 1;
  const compact = layout.compact || (children.length > 0 && !slice(text, container).includes('\n'));
  const outer = indentOfLine(text, container.offset);
  const first = children[0];
  const inner = (first && leadingSpace(text, first.offset)) ?? outer + layout.unit;
  const gap = compact ? '' : layout.eol + inner;
  const body = members.map(member => render(member, compact, inner, layout)).join(`,${gap}`);

  const last = children.at(-1);
  if (!last) {
    const rest = text.slice(container.offset + 1, close);
    const tail = compact || rest.includes('\n') ? '' : layout.eol + outer;
    return [{ at: container.offset + 1, text: gap + body + tail }];
  }
  const end = last.offset + last.length;
  const { comma, lastEnd, lineComment } = scanBetween(text, end, close);
  const lead = compact && lineComment ? layout.eol : gap;
  if (comma !== undefined) return [{ at: lastEnd, text: lead + body }];
  if (lastEnd === end) return [{ at: end, text: `,${lead}${body}` }];
  return [
    { at: end, text: ',' },
    { at: lastEnd, text: lead + body },
  ];
}

/** The text without one member of a container; `null` where no way of cutting leaves the rest as it was. */
export function removeMember(text: string, container: Node, index: number): string {
  const children = container.children ?? [];
  const child = children[index];
  if (!child) return text;
  const start = child.offset;
  const end = start + child.length;
  const close = container.offset + container.length - 1;
  const next = children[index + 1];
  const previous = children[index - 1];
  const after = scanBetween(text, end, next?.offset ?? close);
  if (!previous && !next) {
    const opened = container.offset + 1;
    const rest = text.slice(opened, start) + text.slice(after.comma === undefined ? end : after.comma + 1, close);
    const kept = rest.trim() === '' ? '' : rest;
    return text.slice(0, opened) + kept + text.slice(close);
  }
  const afterLineComment = scanBetween(
    text,
    previous ? previous.offset + previous.length : container.offset + 1,
    start,
  );
  const tight = spaceBefore(text, start);
  if (next || after.comma !== undefined) {
    const cut = after.comma === undefined ? end : after.comma + 1;
    const sameLine = !/^[ \t]*\r?\n/.test(text.slice(cut));
    return text.slice(0, afterLineComment.endsInLineComment && sameLine ? start : tight) + text.slice(cut);
  }
  // Last of several: the comma before it goes too, the comments between stay.
  const comma = afterLineComment.comma as number;
  const sameLine = !/^[ \t]*\r?\n/.test(text.slice(end));
  const from = afterLineComment.endsInLineComment && sameLine ? start : tight;
  return text.slice(0, comma) + text.slice(comma + 1, Math.max(from, comma + 1)) + text.slice(end);
}

export function tree(text: string): Node | undefined {
  return parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true });
}

function render(member: { key?: string; value: unknown }, compact: boolean, indent: string, layout: Layout): string {
  const json = compact
    ? JSON.stringify(member.value)
    : JSON.stringify(member.value, null, layout.unit).replaceAll('\n', layout.eol + indent);
  if (member.key === undefined) return json;
  return `${JSON.stringify(member.key)}:${compact ? '' : ' '}${json}`;
}

function slice(text: string, node: Node | undefined): string {
  return node ? text.slice(node.offset, node.offset + node.length) : '';
}

/** The white space before `offset` on its line, if nothing else is there. */
function leadingSpace(text: string, offset: number): string | undefined {
  const line = text.lastIndexOf('\n', offset - 1);
  if (line < 0) return undefined;
  const lead = text.slice(line + 1, offset);
  return /^[ \t]*$/.test(lead) ? lead : undefined;
}

function indentOfLine(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1);
  return /^[ \t]*/.exec(text.slice(line + 1, offset))?.[0] ?? '';
}

function spaceBefore(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && /[ \t\r\n]/.test(text[at - 1] as string)) at--;
  return at;
}

type Between = { comma?: number; lastEnd: number; lineComment: boolean; endsInLineComment: boolean };

/** Where the comma is, and where the last comma or comment ends, in a stretch that holds no value. */
function scanBetween(text: string, from: number, to: number): Between {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  const found: Between = { lastEnd: from, lineComment: false, endsInLineComment: false };
  for (let kind: number = scanner.scan(); kind !== EOF && scanner.getTokenOffset() < to; kind = scanner.scan()) {
    if (kind === TRIVIA || kind === LINE_BREAK) continue;
    if (kind === COMMA) found.comma ??= scanner.getTokenOffset();
    found.endsInLineComment = kind === LINE_COMMENT;
    found.lineComment ||= kind === LINE_COMMENT;
    found.lastEnd = scanner.getTokenOffset() + scanner.getTokenLength();
  }
  return found;
}
