import type { SetupError } from './report.ts';

/** How JavaScript errors name themselves: which of them are assertions, and which were thrown in a hook. */

const NAMED =
  /^(?:Uncaught )?(?:Error: )?(?:\w+\.)*\w*Assert(?:ion)?(?:Failed)?Error(?: \[[A-Z_]+\])?(?::|\s*$|\s+\{)|^Error \[\w*AssertionError\](?::|$)/;
const MATCHER =
  /^(?:\w*Error: )?(?:expect(?:\.\w+)*\(|assert(?:\.\w+)*\((?:received|value|expected|actual|[\w, ]*)\)\s*$)/;
const PLAIN = /^(?:Failed: |\w*ExpectationFailed\w*: )/;

/** First line of an error as a runner prints it. */
export function isAssertion(head: string): boolean {
  const line = head.trim();
  return NAMED.test(line) || MATCHER.test(line) || PLAIN.test(line);
}

const KINDS: readonly { kind: SetupError['kind']; pattern: RegExp }[] = [
  {
    kind: 'import',
    pattern:
      /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Failed to (?:load url|resolve import)|does not provide an export named|Module not found/,
  },
  {
    kind: 'syntax',
    pattern:
      /SyntaxError|unexpected token|Unexpected token|Transform failed|failed to parse|ERR_UNKNOWN_FILE_EXTENSION|Parse failure/,
  },
  { kind: 'compile', pattern: /\bTS\d{3,5}\b|Type checking failed/ },
  { kind: 'timeout', pattern: /[Tt]imed? ?out|Exceeded timeout|Timeout of \d+/ },
];

export function kindOfError(text: string, otherwise: SetupError['kind']): SetupError['kind'] {
  return KINDS.find(candidate => candidate.pattern.test(text))?.kind ?? otherwise;
}

const HOOK = /\b(?:before|after)(?:All|Each)?\s*\(|\b(?:setup|teardown|suiteSetup|suiteTeardown)\s*\(/g;
const BODY = /\b(?:test|it|specify|step)(?:\.\w+)*(?:\([^()]*\))?(?:`[^`]*`)?\s*\(/g;

/**
 * A code frame shows where the error came from: `> 2 | beforeAll(...)` and a caret below. The nearest opening of a hook or
 * of a test before the caret tells whose body it was. null: no frame, or neither in sight.
 */
export function thrownInHook(frame: readonly string[]): boolean | null {
  const rows = frame.map(line => /^(\s*(>)?\s*(?:\d+)?\s*\| ?)(.*)$/.exec(line));
  let source = '';
  let seen = false;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (!row) continue;
    const gutter = row[1] ?? '';
    const code = row[3] ?? '';
    if (!/\d/.test(gutter)) {
      // vitest marks the line by the caret row alone
      if (/^\s*\^/.test(code)) {
        const last = source.lastIndexOf('\n', source.length - 2) + 1;
        source = source.slice(0, last + code.indexOf('^') + 1);
        seen = true;
        break;
      }
      continue;
    }
    source += `${code}\n`;
  }
  if (!seen) return null;
  const hook = lastIndex(HOOK, source);
  const body = lastIndex(BODY, source);
  if (hook === -1 && body === -1) return null;
  return hook > body;
}

function lastIndex(pattern: RegExp, text: string): number {
  let at = -1;
  for (const match of text.matchAll(pattern)) at = match.index;
  return at;
}
