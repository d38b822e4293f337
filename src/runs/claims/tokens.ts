import { readCode } from './commands.ts';
import { note, noted, noteText } from './hints.ts';
import type { Token } from './types.ts';
import { type Entry, interned, type Phrase, WORDS } from './vocabulary.ts';

/** The letters of the sentence at hand: read once, as numbers. */
let codes = new Uint16Array(2048);

/** What the word list knows of each token of the sentence at hand; kept from sentence to sentence for its room. */
const entries: (Entry | undefined)[] = [];

function addWord(tokens: Token[], word: string, start: number, end: number, entry: Entry | undefined): void {
  entries[tokens.length] = entry;
  tokens.push({ tag: 'w', word, start, end, kind: undefined });
}

const LETTERS = /[\p{L}_]+(?:['’-][\p{L}]+)*/uy;
const NUMBER = /\d{1,2}:\d\d\b|\d[\d.,']*\d|\d/y;
const RATIO = /\s?\/\s?\d+/y;
const CODE = /(`+)([^`]{1,300})\1/y;
const QUOTED = /["“„«]([^"“”„«»\n]{1,300})["”“»]/y;
const CONTRACTED = /^(.+?)(n't|'(?:s|re|ve|ll|d|m))$/;
const TICKS = '✅✔✓☑🟢👍👌💚🟩';
const CROSSES = '❌✘✗✖🔴🚫';
const MARKS = '%⏳,;:()|&+=?!…→·•';

function pushWord(tokens: Token[], raw: string, start: number): void {
  let text = raw.toLowerCase();
  if (text.includes('’')) text = text.replaceAll('’', "'");
  const end = start + raw.length;
  const cut = text.includes("'") && !WORDS.has(text) ? CONTRACTED.exec(text) : null;
  if (!cut) {
    addWord(tokens, text, start, end, WORDS.get(text));
    return;
  }
  const stem = cut[1] === 'ca' ? 'can' : cut[1] === 'wo' ? 'will' : cut[1]!;
  const middle = start + cut[1]!.length;
  addWord(tokens, stem, start, middle, WORDS.get(stem));
  const rest = cut[2] === "n't" ? 'not' : cut[2]!;
  addWord(tokens, rest, middle, end, WORDS.get(rest));
}

function opens(phrase: Phrase, tokens: Token[], at: number): boolean {
  for (let k = 1; k < phrase.words.length; k++) {
    const token = tokens[at + k];
    if (token === undefined || token.word !== phrase.words[k] || token.tag !== 'w') return false;
  }
  return true;
}

function opened(phrases: Phrase[], tokens: Token[], at: number): Phrase | undefined {
  for (const phrase of phrases) if (opens(phrase, tokens, at)) return phrase;
  return undefined;
}

/** "0 of 300 requests failed" counts failures and is no share of a success. */
const failsAhead = (tokens: Token[], at: number) =>
  tokens.slice(at + 3, at + 7).some(t => /^(?:fail|failed|failing|failures?|errors?|broken|red|broke)$/.test(t.word));

/** "8oK" is no number with a verdict, "14.2s" no plural. */
const glued = (tokens: Token[], at: number) => {
  const before = tokens[at - 1];
  return before !== undefined && before.end === tokens[at]!.start && (before.tag === '8' || before.tag === '0');
};

const OWN_PARTS = /^(?:dialog|toast|tooltip|notification|modal|popup|banner)$/;
const SMALL = /^(?:two|three|four|five|six|seven|eight|nine|ten)$/;
const RECEIVED =
  /^(?:got|gets|get|gives|gave|returns|returned|shows|showed|received|produces|produced|with|prints|printed|produce|give|return|show|yield|yields|print)$/;

/** Gives each word its role and joins "41 of 42" into one ratio, in place. */
function tagWords(tokens: Token[]): Token[] {
  let to = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.tag === 'w') {
      const entry = entries[i];
      const phrase =
        entry?.phrases === undefined || tokens[i + 1]?.tag !== 'w' || entries[i + 1] === undefined
          ? undefined
          : opened(entry.phrases, tokens, i);
      if (phrase) {
        i += phrase.words.length - 1;
        token.tag = phrase.tag;
        token.kind = phrase.kind;
        token.word = phrase.words.join(' ');
        token.end = tokens[i]!.end;
      } else if (entry?.tag && !glued(tokens, i)) {
        // "The dialog works" tells of no third party.
        if (
          entry.tag === 'X' &&
          OWN_PARTS.test(token.word) &&
          (entries[i + 1]?.tag === 'W' || entries[i + 1]?.tag === 'd') &&
          tokens[to - 1]?.tag === 'D'
        ) {
          token.tag = 'w';
          tokens[to++] = token;
          continue;
        }
        // "got the expected 404"
        token.tag = token.word === 'expected' && RECEIVED.test(tokens[to - 2]?.word ?? '') ? 'd' : entry.tag;
        token.kind = entry.kind;
      }
    } else if (token.tag === '8' || (token.tag === '0' && !failsAhead(tokens, i))) {
      const of =
        tokens[i + 1]?.word === 'of'
          ? i + 1
          : tokens[i + 1]?.word === 'out' && tokens[i + 2]?.word === 'of'
            ? i + 2
            : -1;
      let last = of + 1;
      while (of > 0 && (tokens[last]?.word === 'the' || tokens[last]?.word === 'all')) last++;
      const total = tokens[last];
      if (of > 0 && total?.tag === '8') {
        token.tag = token.word === total.word && token.tag === '8' ? 'f' : 'e';
        token.word += `/${total.word}`;
        token.end = total.end;
        i = last;
      }
    }
    // "the report for May"
    if (token.word === 'may' && tokens[to - 1]?.tag === 'p') token.tag = 'w';
    // "has not failed once"
    if (token.word === 'once' && token.tag === 'I' && (i === tokens.length - 1 || tokens[i + 1]!.tag === '.'))
      token.tag = 'A';
    // "two of two"
    if (tokens[i + 1]?.word === 'of' && tokens[i + 2]?.word === token.word && SMALL.test(token.word)) {
      token.tag = 'f';
      token.end = tokens[i + 2]!.end;
      i += 2;
    }
    tokens[to++] = token;
  }
  tokens.length = to;
  return tokens;
}

function ratioTag(text: string): string {
  const [part, total] = text.split('/');
  return part!.trim() === total!.trim() && Number(part) > 0 ? 'f' : 'e';
}

/** Splits one sentence into tokens. `*` and other decoration is passed over. */
export function tokenize(message: string, start: number, end: number): Token[] {
  const text = message.slice(start, end);
  const length = text.length;
  if (codes.length <= length) codes = new Uint16Array(length + 1);
  for (let i = 0; i < length; i++) codes[i] = message.charCodeAt(start + i);
  codes[length] = 0;
  noted.first = 0;
  noted.second = 0;
  const tokens: Token[] = [];
  const push = (tag: string, at: number, stop: number, word = text.slice(at, stop)) =>
    tokens.push({ tag, word, start: start + at, end: start + stop, kind: undefined });
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  let at = 0;
  while (at < length) {
    const c = codes[at]!;
    if (c === 32 || c === 42 || c === 10) {
      at++;
      continue;
    }
    const ascii = c < 128;
    if ((c > 96 && c < 123) || (c > 64 && c < 91) || c === 95) {
      // The usual word: ASCII letters up to a space or mark; everything else goes through the Unicode pattern.
      let stop = at + 1;
      let code = codes[stop]!;
      if (code === 47 && /^w\/o\b/i.test(text.slice(at, at + 4))) {
        addWord(tokens, 'without', start + at, start + at + 3, WORDS.get('without'));
        at += 3;
        continue;
      }
      if (code === 50 && /^e2e(?![\w-])/i.test(text.slice(at, at + 4))) {
        addWord(tokens, 'e2e', start + at, start + at + 3, WORDS.get('e2e'));
        at += 3;
        continue;
      }
      let hash = c | 32;
      while (stop < length && ((code > 96 && code < 123) || (code > 64 && code < 91) || code === 95)) {
        hash = (hash * 31 + (code | 32)) & 0x3fffffff;
        code = codes[++stop]!;
        if (stop - at < 7) note(hash);
      }
      const joined = stop < length && (code > 127 || code === 39 || code === 45);
      if (joined) stop = at + (match(LETTERS, at)?.[0].length ?? stop - at);
      const known = joined ? undefined : interned(codes, at, stop, hash);
      if (joined) {
        noteText(text.slice(at, stop));
        pushWord(tokens, text.slice(at, stop), start + at);
      } else if (known === undefined)
        addWord(tokens, text.slice(at, stop).toLowerCase(), start + at, start + stop, undefined);
      else addWord(tokens, known.word, start + at, start + stop, known.entry);
      at = stop;
      continue;
    }
    if (c > 47 && c < 58) {
      let stop = at + (match(NUMBER, at)?.[0].length ?? 1);
      const ratio = match(RATIO, stop);
      if (ratio) stop += ratio[0].length;
      const raw = text.slice(at, stop);
      push(ratio ? ratioTag(raw) : /^0+$/.test(raw) ? '0' : '8', at, stop, raw);
      at = stop;
      continue;
    }
    if (c === 96 || c === 34 || c === 0x201c || c === 0x201e || c === 0xab) {
      const m = match(c === 96 ? CODE : QUOTED, at);
      if (m) {
        const stop = at + m[0].length;
        noteText(m[0]);
        if (c === 96) {
          // One shape for all tokens keeps every look at one quick.
          const { tag, kind } = readCode(m[2]!);
          tokens.push({ tag, word: m[2]!, start: start + at, end: start + stop, kind });
        } else push('q', at, stop, m[1]);
        at = stop;
        continue;
      }
    }
    if (c === 45 || c === 0x2013 || c === 0x2014) {
      const before = at > 0 ? codes[at - 1]! : 32;
      if (before <= 32) push('-', at, at + 1);
      at++;
      continue;
    }
    // "25 passed / 0 failed"
    if (c === 47 && at > 0 && codes[at - 1] === 32 && codes[at + 1] === 32) {
      push(',', at, at + 1);
      at++;
      continue;
    }
    const mark = ascii ? text[at]! : String.fromCodePoint(text.codePointAt(at)!);
    const stop = at + mark.length;
    if (MARKS.includes(mark)) push('·•→|+'.includes(mark) ? ',' : mark, at, stop);
    else if (!ascii) {
      const letters = match(LETTERS, at);
      if (TICKS.includes(mark)) push('V', at, stop);
      else if (CROSSES.includes(mark)) push('F', at, stop);
      else if (letters) {
        noteText(letters[0]);
        pushWord(tokens, letters[0], start + at);
        at += letters[0].length;
        continue;
      }
    }
    at = stop;
  }
  return tagWords(tokens);
}
