import type { Block } from './blocks.ts';
import { checkKind } from './commands.ts';
import { CHECKS } from './lexicon.ts';
import type { ClaimKind, Found, Span } from './types.ts';

type Row = Extract<Block, { type: 'row' }>;

const RESULT_HEAD =
  /^(?:result|results|outcome|status|state|seen|observed|ok\??|works\??|passed\??|verdict|actual|after|now|checks?|this branch|head|ergebnis|résultat|resultado|risultato|wynik|sonuç|結果|结果|결과|результат|verified\??|tested\??|with (?:the )?(?:patch|fix)|new|current|pass\??)$/i;
const EXIT_HEAD =
  /^(?:exit(?: code| status)?|rc|code|exitcode|errors?|failures?|failed|failing|fail|problems|exit-code|fehler|échecs|fallos|erros)$/i;
const CLOSED_HEAD =
  /^(?:criterion|criteria|conditions?|requirements?|acceptance|done when|exit criteri\w+|expected|planned|target|goal|before|old|main|previous|required|last week|baseline|should|plan|wanted|todo|next|owner|estimate|meaning|description|what|rule|explanation|why|when)\b/i;
const FEATURE_HEAD =
  /^(?:features?|capability|option|tool|library|package manager|v\d.*|version|plan|scenario to (?:do|test)|support(?:ed)?|supports?)$/i;
const PLACE_HEAD =
  /^(?:browser|platform|device|os|scenario|query|flow|case|environment|database|node|python|version|locale|provider|input|screen|viewport|target|arch|architecture|compiler|toolchain|engine|runtime|distro|client|endpoint|route|page)s?$/i;
/** Rows of work: their "ok" says that the work is done. */
const WORK_HEAD = /^(?:step|task|phase|item|work|change|part|area|ticket|todo|milestone|file|issue|action)s?$/i;
const GOOD =
  /^(?:ok|okay|pass|passes|passed|passing|green|clean|success|successful|succeeded|succeeds|works|working|fine|good|verified|correct|as expected|no (?:errors?|failures?|issues?|warnings?|problems?)|none|0 (?:errors?|failed|failures?|failing|issues?|warnings?|problems?)|all (?:pass(?:ed|ing)?|green|ok|good)|healthy|bestanden|grün|ok|vert|verde|correcto|通过|通過|成功|통과|успешно|пройдено|geslaagd|zielone|geçti)\b/iu;
const TICK = /^(?:✅|✔️?|✓|☑️?|🟢|👍)/u;
const BAD =
  /\b(?:not|fail(?:s|ed|ing)?|red|pending|todo|skipped|open|n\/a|blocked|broken|unavailable|no reader|expected|should|will)\b|[❌✘✗✖🔴⏳]/iu;

const NAMES = new Map<string, ClaimKind>();
for (const [kind, list] of Object.entries(CHECKS))
  for (const word of list.split(/\s+/)) NAMES.set(word.replaceAll('_', ' '), kind as ClaimKind);
for (const word of ['compiles', 'builds']) NAMES.set(word, 'build');
for (const word of 'тесты pruebas testes prove testy testler テスト 测试 테스트'.split(' ')) NAMES.set(word, 'tests');

/** The check that a cell names, or undefined; "Tests added" and "test config" name none. */
export function namedCheck(text: string, strict = false): ClaimKind | undefined {
  const code = (strict ? /^\W*`([^`]+)`\W*$/ : /^[^`]*`([^`]+)`/).exec(text);
  if (code) return checkKind(code[1]!);
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\d\s'/-]/gu, ' ')
    .trim()
    .split(/\s+/)
    .filter(Boolean);
  if (!words.length || words.length > 6) return undefined;
  if (
    strict &&
    words.some(
      w =>
        !NAMES.has(w) &&
        !/^(?:\d[\d/]*|all|full|whole|unit|integration|end-to-end|the|frontend|backend|front-end|back-end|production|release|final|check|checks|run|suite|type|server|client|core|api|ui|web|new|existing|\W+)$/.test(
          w,
        ),
    )
  )
    return undefined;
  const core = words.filter(
    w =>
      !/^(?:\d[\d/]*|the|all|full|new|our|run|runs|status|result|results|of|in|on|for|and|linux|windows|macos|existing|whole|affected|[a-z]+-?[a-z]*)$/.test(
        w,
      ) || NAMES.has(w),
  );
  for (const pair of [words.slice(-2).join(' '), words.slice(0, 2).join(' ')])
    if (NAMES.has(pair)) return NAMES.get(pair);
  const last = [...words].reverse().find(w => !/^(?:\d[\d/]*|run|runs|status|result|results|passed|ok)$/.test(w));
  if (last && NAMES.has(last)) return NAMES.get(last);
  return core.length &&
    NAMES.has(words[0]!) &&
    words.length <= 2 &&
    /^(?:run|runs|suite|results?|\d+)$/.test(words[1] ?? 'run')
    ? NAMES.get(words[0]!)
    : undefined;
}

const textOf = (message: string, span: Span) => message.slice(span.start, span.end).replace(/[*_]/g, '').trim();

function cellKind(
  head: string,
  cell: string,
  first: string,
  context: ClaimKind | undefined,
  corner: string,
): ClaimKind | null {
  const value = cell.replaceAll('`', '').trim();
  if (!value || BAD.test(value.replace(/\b(?:0|no) (?:fail\w*|errors?)\b/gi, ''))) return null;
  const named = namedCheck(head) ?? namedCheck(first);
  const zero = /^(?:🟢\s*)?0$/u.test(value);
  const whole = /^(\d+)\s*(?:\/|of)\s*(\d+)$/.exec(value);
  const counted =
    /^\d[\d,.]* (?:passed|passing|ok|green|pass|succeeded)\b/i.test(value) ||
    (whole !== null && whole[1] === whole[2] && whole[1] !== '0');
  if (zero) return named && (EXIT_HEAD.test(head) || value.startsWith('🟢')) ? named : null;
  if (TICK.test(value))
    return named && !FEATURE_HEAD.test(head) && namedCheck(first)
      ? named
      : namedCheck(head)
        ? (namedCheck(head) ?? null)
        : /^(?:verified|tested|works|checked)\b(?! (?:users?|accounts?|only|by|for)\b)/i.test(head)
          ? 'verified'
          : null;
  if (counted) return named ?? 'tests';
  if (!GOOD.test(value)) {
    const inside =
      /\b(tests?|suite|build|lint|types?|tsc|ci|specs?)\b[^,;]{0,20}\b(?:pass(?:es|ed)?|green|clean|ok|succeeds|succeeded)\b/i.exec(
        value,
      );
    return inside ? (namedCheck(inside[1]!) ?? 'tests') : null;
  }
  if (named) return named;
  if (WORK_HEAD.test(corner) && !/^(?:pass|works|verified|tested|green)/i.test(value)) return null;
  if (RESULT_HEAD.test(head) || context === 'verified' || PLACE_HEAD.test(corner)) return context ?? 'verified';
  return null;
}

/** Reads one table; the first row is the head. */
export function readTable(message: string, rows: Row[], context: ClaimKind | undefined): Found[] {
  const head = rows[0];
  if (!head) return [];
  const heads = head.cells.map(c => textOf(message, c));
  if (heads.some(h => FEATURE_HEAD.test(h)) && !heads.some(h => RESULT_HEAD.test(h))) return [];
  const found: Found[] = [];
  const wanted = heads.findIndex(h => /^(?:expected|wanted|should be)$/i.test(h));
  const got = heads.findIndex(h => /^(?:got|actual|actually|received|seen|observed|returned|result|is)$/i.test(h));
  for (const row of rows.slice(1)) {
    const first = row.cells[0];
    if (!first) continue;
    const name = textOf(message, first);
    const [a, b] = [row.cells[wanted], row.cells[got]];
    if (a && b && textOf(message, a) && textOf(message, a) === textOf(message, b))
      found.push({ kind: namedCheck(name) ?? 'verified', ...trimmed(message, { start: first.start, end: b.end }) });
    for (let c = 1; c < row.cells.length; c++) {
      const title = heads[c] ?? '';
      if (CLOSED_HEAD.test(title)) continue;
      const cell = row.cells[c]!;
      const kind = cellKind(title, textOf(message, cell), name, context, heads[0] ?? '');
      if (kind) found.push({ kind, ...trimmed(message, { start: first.start, end: cell.end }) });
    }
  }
  return found;
}

export function trimmed(message: string, span: Span): Span {
  let { start, end } = span;
  const text = message.slice(start, end);
  end = start + text.trimEnd().length;
  start += text.length - text.trimStart().length;
  return { start: Math.min(start, end), end };
}
