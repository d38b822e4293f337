/** What an agent says at the end of a stage: a request, never evidence. The last JSON object of its message counts. */
import { isRecord } from '../config/project.ts';

export type Said =
  | { status: 'complete' }
  | { status: 'needs_input'; question: string }
  | { status: 'blocked'; reason: string };

const MOST_TRIES = 200;

/** Null where the message has no such object. */
export function lastWord(message: string): Said | null {
  const end = message.lastIndexOf('}') + 1;
  let at = end;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    at = message.lastIndexOf('{', at - 1);
    if (at < 0) return null;
    const said = read(message.slice(at, end));
    if (said !== null) return said;
    if (at === 0) return null;
  }
  return null;
}

function read(text: string): Said | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  if (value.status === 'complete') return { status: 'complete' };
  if (value.status === 'needs_input' && typeof value.question === 'string')
    return { status: 'needs_input', question: value.question };
  if (value.status === 'blocked' && typeof value.reason === 'string')
    return { status: 'blocked', reason: value.reason };
  return null;
}
