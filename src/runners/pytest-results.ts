import { bookFailure } from './book.ts';
import { type Block, readBlock, titleOf } from './pytest-blocks.ts';
import { exceptionKind, exceptionName, HOOKS, isAssertion } from './python.ts';
import type { Report } from './report.ts';

export const SECTION =
  /^={3,} (ERRORS|FAILURES|XFAILURES|PASSES|XPASSES|short test summary info|warnings summary.*) ={3,}$/;
const SHORT = /^(FAILED|ERROR|SKIPPED|XFAIL|XPASS|PASSED|SUBFAIL|SUBFAILED)(?:\([^)]*\)|\[.*?\])?(?: \[\d+\])? (.+)$/;
const TB_LINE = /^(\S[^:]*\.\w+):\d+: (.+)$/;
/** `pytest.fail` is an assertion, but pytest itself uses the same class for these. */
const NO_ASSERTION = /^Failed: (?:Timeout\b|async def functions|Database access)/;

/** `id - message`, where the id may hold ` - ` inside its parameters. */
function splitShort(rest: string): { id: string; message: string } {
  const bracket = rest.indexOf('[');
  let at = rest.indexOf(' - ');
  if (bracket >= 0 && at > bracket) {
    const closing = rest.indexOf('] - ', bracket);
    at = closing >= 0 ? closing + 1 : rest.endsWith(']') ? -1 : at;
  }
  return at < 0 ? { id: rest, message: '' } : { id: rest.slice(0, at), message: rest.slice(at + 3) };
}

/** Names, assertions and setup errors from the failure blocks and the short summary; returns the
 * parents of sub-tests, true where the runner books the parent itself as failed too. */
export function readResults(report: Report, lines: string[], from: number, end: number): Map<string, boolean> {
  const blocks: Block[] = [];
  const shorts: { word: string; id: string; message: string; index: number }[] = [];
  let section = '';
  let start = -1;
  const close = (to: number): void => {
    if (start >= 0 && (section === 'ERRORS' || section === 'FAILURES'))
      blocks.push(readBlock(lines, start, to, section));
    start = -1;
  };
  for (let i = from; i < end; i++) {
    const line = lines[i] ?? '';
    const header = line.startsWith('===') ? SECTION.exec(line)?.[1] : undefined;
    if (header) {
      close(i);
      section = header;
      if (section.startsWith('short')) shorts.length = 0;
    } else if (section.startsWith('short')) {
      const match = SHORT.exec(line);
      if (match) shorts.push({ word: match[1] ?? '', ...splitShort(match[2] ?? ''), index: i });
    } else if (line.startsWith('_') && /^_+ .* _+$/.test(line) && !line.startsWith('_ _ ')) {
      close(i);
      start = i;
    } else if (section === 'FAILURES' && start < 0 && TB_LINE.test(line)) blocks.push(lineBlock(line, i));
  }
  close(end);
  return bookResults(report, blocks, shorts);
}

type Short = { word: string; id: string; message: string; index: number };

function bookResults(report: Report, blocks: Block[], shorts: Short[]): Map<string, boolean> {
  const subtests = new Map<string, boolean>();
  const left = new Map<string, Block[]>();
  for (const block of blocks) {
    const key = `${block.section}:${blockName(block.title)}`;
    left.set(key, [...(left.get(key) ?? []), block]);
  }
  const take = (section: string, id: string, sub: boolean): Block | undefined => {
    const title = titleOf(id);
    const exact = left.get(`${section}:${title}`);
    if (exact?.length) return exact.shift();
    if (!sub) return undefined;
    for (const [key, queue] of left)
      if (key.startsWith(`${section}:${title} `) && queue.length > 0) return queue.shift();
    return undefined;
  };
  for (const { word, id, message, index } of shorts) {
    if (word === 'FAILED' || word.startsWith('SUBFAIL')) {
      const sub = word !== 'FAILED';
      if (sub) subtests.set(id, false);
      else if (subtests.has(id)) subtests.set(id, true);
      const block = take('FAILURES', id, sub);
      bookFailed(report, id, block, message, index, sub || subtests.has(id));
    } else if (word === 'ERROR') {
      const block = take('ERRORS', id, false);
      bookError(report, id, block?.title ?? '', block, message, index);
    } else if (word === 'XFAIL' || word === 'XPASS') report.identities.todo.push(id);
    else if (word === 'PASSED') report.identities.passed.push(id);
    else if (word === 'SKIPPED' && id.includes('::')) report.identities.skipped.push(id);
  }
  const named = shorts.some(short => short.word === 'FAILED' || short.word === 'ERROR' || short.word.startsWith('SUB'));
  if (!named) {
    for (const block of blocks) {
      const name = blockName(block.title);
      const file = block.file ?? '';
      const id = name === '' ? file : file === '' ? name : `${file}::${name.replaceAll('.', '::')}`;
      if (block.section === 'FAILURES') bookFailed(report, id, block, block.message, block.index, false);
      else
        bookError(
          report,
          block.title.startsWith('ERROR collecting ') ? name : id,
          block.title,
          block,
          block.message,
          block.index,
        );
    }
  }
  return subtests;
}

function blockName(title: string): string {
  return title.replace(/^ERROR (?:at (?:setup|teardown|call) of|collecting) /, '').replace(/^\[doctest\] /, '');
}

function bookFailed(
  report: Report,
  id: string,
  block: Block | undefined,
  message: string,
  index: number,
  sub: boolean,
): void {
  const shown = block?.message || message;
  const exception = block?.exception ?? messageException(message);
  if (sub && report.identities.failed.includes(id)) {
    if (exception === null || isAssertion(exception)) return;
  }
  const inHook =
    block !== undefined &&
    block.functions.length > 0 &&
    HOOKS.test(block.functions[0] ?? '') &&
    block.functions.every(name => HOOKS.test(name) || !name.startsWith('test'));
  if (inHook) {
    bookFailure(report, 'errored', id, false, index, shown, 'hook');
    return;
  }
  let byAssertion =
    exception === null ? (block?.title.startsWith('[doctest]') ?? false) || null : isAssertion(exception);
  let kind = exception === null ? 'other' : exceptionKind(exception);
  if (exception === 'Failed' && NO_ASSERTION.test(shown)) {
    byAssertion = false;
    kind = /Timeout/.test(shown) ? 'timeout' : 'other';
  }
  if (message.startsWith('[XPASS(strict)]') || shown.startsWith('[XPASS(strict)]')) byAssertion = false;
  if (/^worker '\w+' crashed while running/.test(shown)) {
    byAssertion = false;
    report.crashed = true;
  }
  bookFailure(report, 'failed', id, byAssertion, index, shown, kind);
}

function bookError(
  report: Report,
  id: string,
  title: string,
  block: Block | undefined,
  message: string,
  index: number,
): void {
  const text = block?.message || message || title;
  const exception = block?.exception ?? messageException(text);
  const collecting = title.startsWith('ERROR collecting') || !id.includes('::');
  const kind = exception === null ? 'thrown' : exceptionKind(exception);
  bookFailure(report, 'errored', id, false, index, text, kind !== 'thrown' ? kind : collecting ? 'collection' : 'hook');
}

function messageException(message: string): string | null {
  if (/^assert\b/.test(message)) return 'AssertionError';
  if (message.endsWith('...') && !message.includes(':')) return null;
  return exceptionName(message);
}

function lineBlock(line: string, index: number): Block {
  const match = TB_LINE.exec(line);
  const message = match?.[2] ?? '';
  return {
    title: '',
    index,
    section: 'FAILURES',
    exception: messageException(message),
    message,
    file: match?.[1] ?? null,
    functions: [],
  };
}
