import { readCode } from './commands.ts';
import { CHECKS, ROLES, SELF } from './lexicon.ts';
import type { ClaimKind, Token } from './types.ts';

type Entry = { tag: string; kind?: ClaimKind };
type Phrase = Entry & { words: string[] };

const WORDS = new Map<string, Entry>();
const PHRASES = new Map<string, Phrase[]>();

function learn(list: string, entry: Entry): void {
  for (const item of list.split(/\s+/)) {
    if (!item) continue;
    if (!item.includes('_')) {
      if (!WORDS.has(item)) WORDS.set(item, entry);
      continue;
    }
    const words = item.split('_');
    const first = words[0]!;
    const known = PHRASES.get(first) ?? [];
    known.push({ ...entry, words });
    PHRASES.set(first, known);
  }
}

for (const [kind, list] of Object.entries(CHECKS)) learn(list, { tag: 'S', kind: kind as ClaimKind });
for (const [kind, list] of Object.entries(SELF)) learn(list, { tag: 'M', kind: kind as ClaimKind });
for (const [tag, list] of Object.entries(ROLES)) learn(list, { tag });
for (const phrases of PHRASES.values()) phrases.sort((a, b) => b.words.length - a.words.length);

const TOKEN =
  /(`+)([^`]{1,300})\1|["“„«]([^"“”„«»\n]{1,300})["”“»]|[\p{L}_]+(?:['’-](?!\s)[\p{L}]+)*|\d+\s?\/\s?\d+|\d[\d.,']*\d|\d|[%✅✔✓☑🟢👍❌✘✗✖🔴🚫⏳,;:()|&+=—–?!…→·•-]/gu;

const TICK = /^[✅✔✓☑🟢👍]/u;
const CROSS = /^[❌✘✗✖🔴🚫]/u;
const CONTRACTED = /^(.+?)(n't|'(?:s|re|ve|ll|d|m))$/;

const plain = (text: string) => text.toLowerCase().replaceAll('’', "'");

function numberTag(text: string): string {
  const parts = text.split('/');
  if (parts.length === 2) return parts[0]!.trim() === parts[1]!.trim() && Number(parts[0]) > 0 ? 'f' : 'e';
  return /^0+$/.test(text) ? '0' : '8';
}

function word(tokens: Token[], raw: string, start: number): void {
  const text = plain(raw);
  const cut = text.includes("'") ? CONTRACTED.exec(text) : null;
  if (cut && !WORDS.has(text)) {
    const stem = cut[1] === 'ca' ? 'can' : cut[1] === 'wo' ? 'will' : cut[1]!;
    const middle = start + cut[1]!.length;
    tokens.push({ tag: 'w', word: stem, start, end: middle });
    tokens.push({ tag: 'w', word: cut[2] === "n't" ? 'not' : cut[2]!, start: middle, end: start + raw.length });
  } else tokens.push({ tag: 'w', word: text, start, end: start + raw.length });
}

function tagWords(tokens: Token[]): Token[] {
  const out: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.tag !== 'w') {
      out.push(token);
      continue;
    }
    const phrase = PHRASES.get(token.word)?.find(p =>
      p.words.every((w, k) => tokens[i + k]?.tag === 'w' && tokens[i + k]!.word === w),
    );
    if (phrase) {
      i += phrase.words.length - 1;
      out.push({
        tag: phrase.tag,
        kind: phrase.kind,
        word: phrase.words.join(' '),
        start: token.start,
        end: tokens[i]!.end,
      });
      continue;
    }
    const entry = WORDS.get(token.word);
    out.push(entry ? { ...token, tag: entry.tag, kind: entry.kind } : token);
  }
  return out;
}

/** "41 of 42" becomes one token, like `41/42`. */
function joinRatios(tokens: Token[]): Token[] {
  const out: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const of =
      tokens[i + 1]?.word === 'of' ? i + 1 : tokens[i + 1]?.word === 'out' && tokens[i + 2]?.word === 'of' ? i + 2 : -1;
    let to = of + 1;
    while (of > 0 && /^(?:the|all)$/.test(tokens[to]?.word ?? '')) to++;
    const total = tokens[to];
    if (token.tag !== '8' || of < 0 || total?.tag !== '8') {
      out.push(token);
      continue;
    }
    out.push({
      tag: token.word === total.word ? 'f' : 'e',
      word: `${token.word}/${total.word}`,
      start: token.start,
      end: total.end,
    });
    i = to;
  }
  return out;
}

/** Splits one sentence into tokens. `*` and other decoration is passed over. */
export function tokenize(message: string, start: number, end: number): Token[] {
  const text = message.slice(start, end);
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let m = TOKEN.exec(text); m; m = TOKEN.exec(text)) {
    const at = start + m.index;
    const raw = m[0];
    const stop = at + raw.length;
    const c = raw[0]!;
    if (m[2] !== undefined) tokens.push({ ...readCode(m[2]), word: m[2], start: at, end: stop });
    else if (m[3] !== undefined) tokens.push({ tag: 'q', word: m[3], start: at, end: stop });
    else if (c >= '0' && c <= '9') tokens.push({ tag: numberTag(raw), word: raw, start: at, end: stop });
    else if (TICK.test(raw)) tokens.push({ tag: 'V', word: raw, start: at, end: stop });
    else if (CROSS.test(raw)) tokens.push({ tag: 'F', word: raw, start: at, end: stop });
    else if (/^[\p{L}_]/u.test(raw)) word(tokens, raw, at);
    else if (raw === '-' || raw === '–' || raw === '—') {
      const before = message[at - 1];
      if (before === undefined || /\s/.test(before)) tokens.push({ tag: '-', word: raw, start: at, end: stop });
    } else
      tokens.push({
        tag: raw === '·' || raw === '•' || raw === '→' || raw === '|' || raw === '+' ? ',' : raw,
        word: raw,
        start: at,
        end: stop,
      });
  }
  return tagWords(joinRatios(tokens));
}
