import type { EventKind } from '../event.ts';
import { type Agent, type Decoded, decodeWith, isObject } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { qwen } from './qwen.ts';

/** The most particular first: Claude Code's payloads carry no mark of their own. */
export const AGENTS: readonly Agent[] = [codex, gemini, qwen, claudeCode];

/** `fallback` is the event the running hook was wired for; null trusts the payload's own name alone. */
export function decode(input: string, fallback: EventKind | null): Decoded {
  let payload: unknown;
  try {
    payload = JSON.parse(input.replace(/^\uFEFF/, ''));
  } catch {
    return { kind: 'invalid', why: input.trim() === '' ? 'the payload is empty' : 'the payload is not JSON' };
  }
  if (!isObject(payload)) return { kind: 'invalid', why: 'the payload is not a JSON object' };
  const { hook_event_name: name } = payload;
  if (name !== undefined && typeof name !== 'string')
    return { kind: 'invalid', why: 'hook_event_name is not a string' };
  const agent = AGENTS.find(a => a.recognise(payload)) ?? claudeCode;
  return decodeWith(agent, payload, fallback);
}
