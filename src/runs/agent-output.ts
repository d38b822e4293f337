/** A headless agent's output: its last message, and what its own result object tells. */
import { isRecord } from '../config/project.ts';

export type AgentOutput = {
  message: string;
  sessionId: string | null;
  permissionDenied: boolean;
  /** JSON was asked for and did not come. */
  malformed: boolean;
};

const MESSAGE_CHARS = 262_144;

export function readAgentOutput(stdout: string, argv: readonly string[]): AgentOutput {
  const wantsJson = argv.some(
    (word, i) =>
      /^(?:--output-format(?:=(?:stream-)?json)|--json)$/.test(word) ||
      (/^(?:--output-format|-o)$/.test(word) && /^(?:stream-)?json$/.test(argv[i + 1] ?? '')),
  );
  const result = resultObject(stdout);
  if (result === null) {
    return { message: ends(stdout), sessionId: null, permissionDenied: false, malformed: wantsJson };
  }
  const message = [result.result, result.response, result.message, result.text].find(v => typeof v === 'string');
  const denials = result.permission_denials;
  return {
    message: ends(message ?? ''),
    sessionId:
      typeof result.session_id === 'string' && /^[\w.-]{1,200}$/.test(result.session_id) ? result.session_id : null,
    permissionDenied: result.is_error === true && Array.isArray(denials) && denials.length > 0,
    malformed: false,
  };
}

/** One object, or the last of a stream of them that has a result. */
function resultObject(stdout: string): Record<string, unknown> | null {
  const text = stdout.trim();
  if (!/^[{[]/.test(text)) return null;
  const whole = parse(text);
  if (isRecord(whole)) return whole;
  const list = Array.isArray(whole) ? whole : text.split('\n').map(parse);
  const objects = list.filter(isRecord);
  return objects.findLast(one => one.type === 'result' || 'result' in one) ?? objects.at(-1) ?? null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ends = (text: string): string =>
  text.length <= MESSAGE_CHARS ? text : `${text.slice(0, MESSAGE_CHARS / 2)}\n${text.slice(-MESSAGE_CHARS / 2)}`;
