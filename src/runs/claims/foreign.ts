import { hearsay } from './hearsay.ts';
import { LEXICONS, type Lexicon } from './languages.ts';
import { FOREIGN, passedLine } from './output.ts';
import type { ClaimKind, Found, Span } from './types.ts';

type Role = keyof Lexicon;
type Reader = Record<Role, RegExp> & { ja: boolean };

const SPACELESS = new Set(['ja', 'zh', 'ko']);
const readers = new Map<string, Reader>();

/** Languages that glue nouns together: "Typfehler" ends in a failure. */
const GLUED = new Set(['de', 'nl']);

function pattern(list: string, spaceless: boolean, glued: boolean): RegExp {
  const parts = list
    .split(/\s+/)
    .filter(Boolean)
    .map(stem => {
      const whole = stem.endsWith('.');
      const text = (whole ? stem.slice(0, -1) : stem).replaceAll('_', ' ');
      const latin = /^[\d\p{Script=Latin}]/u.test(text);
      const edge =
        /\p{L}$|\d$/u.test(text) && whole && (latin || !spaceless)
          ? spaceless
            ? '(?![a-z\\d])'
            : '(?![\\p{L}\\d])'
          : '';
      const start =
        (spaceless && !latin) || (glued && text.length > 3 && !whole)
          ? ''
          : spaceless
            ? '(?<![a-z\\d.,])'
            : '(?<![\\p{L}\\d.,])';
      return start + text + edge;
    });
  return new RegExp(parts.join('|'), 'u');
}

function reader(language: string): Reader {
  const known = readers.get(language);
  if (known) return known;
  const lexicon = LEXICONS[language]!;
  const made = { ja: language === 'ja' } as Reader;
  for (const role of Object.keys(lexicon) as Role[])
    made[role] = pattern(lexicon[role], SPACELESS.has(language), role === 'fail' && GLUED.has(language));
  readers.set(language, made);
  return made;
}

const ENGLISH =
  'the and is are was of to in that it for with on as this i not no all have has now you a an so be by at from which when pass passes passed failed fails works worked warnings errors without still now yet done added fixed but they there its left';
/** Each small word with the languages that use it; English is one of them. */
const STOPS = new Map<string, string[]>();
for (const [language, words] of [
  ['en', ENGLISH] as const,
  ...Object.entries(LEXICONS).map(([name, lexicon]) => [name, lexicon.stop] as const),
]) {
  if (SPACELESS.has(language) || language === 'ru') continue;
  for (const stop of words.split(/\s+/)) {
    const word = stop.replace('.', '');
    STOPS.set(word, [...(STOPS.get(word) ?? []), language]);
  }
}

const ROLES = ['tests', 'good', 'works', 'fail', 'zero', 'used', 'block', 'neg'] as const;

/** The language that a script gives away, by its share of the letters. */
function script(bare: string): string | null {
  let letters = 0;
  let [hangul, kana, han, cyrillic] = [0, 0, 0, 0];
  for (let i = 0; i < bare.length; i++) {
    const c = bare.charCodeAt(i);
    if (c < 0x61 || (c > 0x7a && c < 0xaa)) continue;
    if (c >= 0x2000 && c < 0x3040) continue;
    letters++;
    if (c >= 0x400 && c < 0x530) cyrillic++;
    else if (c >= 0x3041 && c < 0x3100) kana++;
    else if (c >= 0x3400 && c < 0xa000) han++;
    else if (c >= 0xac00 && c < 0xd7b0) hangul++;
  }
  if (hangul > letters * 0.25) return 'ko';
  if (kana > letters * 0.12) return 'ja';
  if (han > letters * 0.2) return 'zh';
  return cyrillic > letters * 0.3 ? 'ru' : null;
}

/** Letters that one of the languages has to itself. */
const LETTERS: [RegExp, string][] = [
  [/[ığş]/, 'tr'],
  [/[ąćęłńśźż]/, 'pl'],
  [/[ãõ]/, 'pt'],
  [/[ñ¿¡]/, 'es'],
  [/ß/, 'de'],
];

/** The language of a message where it is one of the eleven, or null for English and everything else. */
export function speaks(text: string): string | null {
  const bare = text.replace(/`[^`\n]*`|\bw\/o\b/g, ' ').toLowerCase();
  const other = /[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(bare) ? script(bare) : null;
  if (other) return other;
  const scores = new Map<string, number>();
  for (const word of bare.match(/[a-z\d\u00df-\u024f]+/g) ?? [])
    for (const language of STOPS.get(word) ?? []) scores.set(language, (scores.get(language) ?? 0) + 1);
  const english = scores.get('en') ?? 0;
  scores.delete('en');
  const most = Math.max(0, ...scores.values());
  const marked = /[äöüßàâçéèêëîïôûñáíóúãõąćęłńśźżğışæœ¿¡]/.test(bare);
  if (most === 0 && english === 0) for (const [letters, language] of LETTERS) if (letters.test(bare)) return language;
  if (most === 0 || !(most > english || (marked && most >= english))) return null;
  // Neighbouring languages share their small words, so near ties are settled by the vocabulary of results.
  const near = [...scores].filter(([, score]) => score >= most - 1);
  if (near.length === 1) return near[0]![0];
  const rank = (language: string, score: number) =>
    score + ROLES.filter(role => reader(language)[role].test(` ${bare} `)).length;
  return near
    .map(([language, score]) => ({ language, rank: rank(language, score) }))
    .sort((a, b) => b.rank - a.rank)[0]!.language;
}

const AND: Record<string, string> = {
  de: 'und|aber', fr: 'et|mais', es: 'pero|mas|y|e', it: 'ma|e', pt: 'mas|e', nl: 'maar|en', pl: 'ale|i|a|oraz', tr: 'ama|fakat|ancak|ve', ru: 'и|но|а',
}; // biome-ignore format: one line for each group
const clauseEnds = new Map<string, RegExp>();

/** Where one clause ends and the next begins: marks, and the language's own "and" and "but". */
function clauseEnd(language: string): RegExp {
  const known = clauseEnds.get(language);
  if (known) return known;
  const and = AND[language];
  const made = new RegExp(
    `[,;:(),、；：()—–]|\\s-\\s|[.。](?=\\s|$)${and ? `|\\s(?:${and})\\s` : ''}|(?<=(?<!경)[고며나만])\\s|(?:지만|인데|が)[、,\\s]`,
    'u',
  );
  clauseEnds.set(language, made);
  return made;
}

function kindIn(text: string, words: Reader): ClaimKind | undefined {
  for (const kind of ['types', 'lint', 'build', 'tests'] as const) if (words[kind].test(text)) return kind;
  return undefined;
}

/** "Der Fehler tritt nicht mehr auf", "ya no falla": the failure comes first or stands right behind. */
function isGone(words: Reader, text: string): boolean {
  const gone = words.gone.exec(text);
  const fail = gone && words.fail.exec(text);
  return fail ? fail.index < gone.index || fail.index - gone.index - gone[0].length < 3 : false;
}

const WHOLE = /(?<!\d)(\d+)(?: ?\/ ?| (?:von|sur|de|su|van|z|из|из них) |(?: ?个| ?개| ?件)? ?中,? ?| testin )\1(?!\d)/;

/** The failure went away; said after a trial. */
const VANISHED =
  /(?:ist|sind|is) (?:weg|verschwunden|behoben|verdwenen)|(?:a|ont) disparu|desapareci|desaparecido|sparit|scompars|sumiu|zniknął|zniknęł|исчез|пропал|消失|사라졌|kayboldu/u;
/** "Verificado en local": to have tried it somewhere is the claim. */
const VERIFIED =
  /verif|vérif|getest|geprüft|ausprobiert|testad|testato|testé|testei|probad|probé|provato|comprobad|sprawdz|przetest|zweryf|gecontroleerd|провер|протест|验证|驗證|測試|测试过|動作確認|確認し|확인했|test ettim|doğrula|denedim/u;
const PLACE =
  /lokal|\blocal|locale\b|lokaal|локально|本地|ローカル|로컬|yerel|browser|navegador|navigateur|przeglądar|браузер|浏览器|瀏覽器|ブラウザ|브라우저|tarayıcı|manuell|von hand|à la main|a mano|manualmente|handmatig|ręcznie|вручную|手动|手動|수동|elle /u;

/** "Alles grün", "tutto passa": everything, and a word that only a result has. */
const ALL =
  /(?<![\p{L}])(?:alles|tout(?:es)?|tous|todo|todas|todos|tudo|tutto|tutti|tutte|allemaal|wszystko|wszystkie|все|всё|her şey|hepsi|tümü)(?![\p{L}])|すべて|全て|全部|みんな|一切|全都|所有|모두|전부/u;
const RESULT =
  /grün|(?<!\p{L})verte?s?(?!\p{L})|verde|verdi|groen|zielon|зел[её]н|yeşil|グリーン|緑|绿|綠|초록|녹색|bestanden|läuft durch|(?<!\p{L})pass(?:e|ent|a|an|am|ano|ou|aram|é|és)(?!\p{L})|pasa(?:n|ron)?(?!\p{L})|slaag|slagen|przesz|przechodz|прош[её]?л|проход|пройден|geçti|geçiyor|通り|通っ|通過|通过|통과|in ordnung|en orden|en ordre|a posto|in orde|w porządku|в порядке|sorunsuz|sorun yok|問題な|没问题|沒問題|문제없|이상 없/u;
/** "Tutto passa dal proxy" goes on to something else. */
const ELSEWHERE = /(?:passa|passe|pasa|passa) (?:dal|dalla|par|por|pelo|pela|attraverso|through)/u;

/** "como deveria": as it should, and no wish. */
const DUE =
  /como (?:deveria|devia|debería|debe)|come (?:dovrebbe|deve)|comme (?:il se doit|ils doivent|il devrait|elle devrait)|wie (?:es|sie|er) soll(?:te|en)?|zoals het (?:hoort|moet)|jak (?:powinn\p{L}+|należy)|как (?:должн\p{L}+|надо|положено)|olması gerektiği gibi/gu;

/** "with your file": the file is theirs, the trial is not. */
const YOURS =
  /[您你](?=提供|给|上传|发|的(?:文件|例子|数据|脚本|输入))|(?<!\p{L})(?:tu|su|seu|tuo|jouw|je|uw|twoim|twoich|waszym|deiner|deinem|ihrer|ihrem|votre|ton|вашим|твоим) (?=archivo|fichero|ejemplo|datos|arquivo|exemplo|dados|file|esempio|bestand|voorbeeld|plik|przykład|dan|datei|beispiel|fichier|exemple|файл|пример|csv|script)|いただいた(?=ファイル|データ|例|スクリプト)/gu;

/** "wie vorher", "come prima": how it was before is how it is now. */
const AS_BEFORE =
  /wie (?:vorher|bisher|zuvor|früher)|comme (?:avant|auparavant)|como antes|come prima|(?:net )?(?:als|zoals) (?:voorheen|eerder)|jak (?:wcześniej|dotąd|przedtem)|как (?:и )?(?:раньше|прежде)|eskisi gibi|以前と同(?:じ|様)|(?:和|与|跟)(?:以前|之前)一样|이전과 (?:같이|동일)|예전처럼/gu;

export function readForeign(message: string, span: Span, language: string): Found[] {
  const words = reader(language);
  // "the file you gave me" names no one who speaks.
  const raw = message
    .slice(span.start, Math.min(span.end, span.start + 1200))
    .replace(YOURS, m => ' '.repeat(m.length));
  const text = raw
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/["“”„«»「」『』]([^"“”„«»「」『』]*)["“”„«»「」『』]/g, m => ' '.repeat(m.length))
    .replace(AS_BEFORE, m => ' '.repeat(m.length));
  if (/[?？]\s*$|[¿]/.test(text)) return [];
  if (
    !words.good.test(text) &&
    !words.zero.test(text) &&
    !words.works.test(text) &&
    !/\d ?\/ ?\d|`/.test(text) &&
    !words.gone.test(text) &&
    !WHOLE.test(text) &&
    !(ALL.test(text) && RESULT.test(text)) &&
    !(/[:：]/.test(text) && words.used.test(text))
  )
    return [];
  const code = /`([^`]+)`/.exec(raw);
  const found: Found[] = [];
  const clauses: { text: string; start: number; strong: boolean; colon: boolean }[] = [];
  const ends = clauseEnd(language);
  let from = 0;
  let strong = true;
  let colon = false;
  while (from <= text.length) {
    const rest = text.slice(from);
    const m = ends.exec(rest);
    const stop = m ? from + m.index : text.length;
    clauses.push({ text: text.slice(from, stop), start: from, strong, colon });
    colon = m ? /[:：]/.test(m[0]) : false;
    strong = m ? /[;；。:：]|mais|aber|pero|mas|maar|ale|ama|но/.test(m[0]) : false;
    from = m ? stop + m[0].length : text.length + 1;
  }
  const whole = kindIn(text, words);
  const heard = hearsay(text);
  // "Der Fehler ist weg, mit deinem Beispiel nachgestellt": the trial may be told last.
  const tried = clauses.some(c => words.used.test(` ${c.text} `) && !words.neg.test(` ${c.text} `));
  let used = false;
  let shut = false;
  let head: ClaimKind | undefined;
  for (const clause of clauses) {
    const t = ` ${clause.text} `;
    if (!clause.text.trim()) continue;
    if (clause.strong) shut = false;
    if (words.block.test(t.replace(DUE, '')) || (heard >= clause.start && heard < clause.start + clause.text.length))
      shut = true;
    const own = kindIn(t, words);
    if (shut) continue;
    const fails = words.fail.test(t);
    const none = words.zero.test(t);
    const negated = words.neg.test(t);
    const uses = words.used.test(t) && !negated;
    const ran = used;
    used ||= uses;
    const own0 = /^ ?(?:nie|не|no|non|não|ne|n'|meldet|melden|meldt|vindt|beanstandet|没|未) ?/.test(
      words.good.exec(t)?.[0] ?? '',
    );
    const zeroed =
      fails &&
      (none || own0 || isGone(words, t) || (tried && VANISHED.test(t))) &&
      !/[1-9]\d* *(?:fail|fehl|rot|fall|err|échec|失败|失敗)/.test(t);
    const good =
      words.good.test(t) &&
      !ELSEWHERE.test(t) &&
      (!fails || zeroed) &&
      (!negated ||
        zeroed ||
        / (?:no|non|não|ne|nie|не|без|ohne|sans|sin|sem|senza|zonder|bez|nichts|keine) /.test(
          words.good.exec(t)![0].padStart(40).padEnd(41) + ' ',
        ) ||
        /(?:nicht|keine|nichts|rien|niets|ничего|не |no |non |não |nie |ne |没|未)/.test(words.good.exec(t)![0]));
    const works = words.works.test(t) && !negated && !fails;
    const kind = own ?? head;
    let claim: ClaimKind | undefined;
    // "Alles grün: Build, Lint und Tests"
    const opening =
      clause === clauses[0] && clause.text.length < 20 && /^[:：,，、]/.test(text.slice(clause.text.length));
    if (opening && good && whole && !words.fail.test(text) && !words.neg.test(text) && !words.block.test(text))
      claim = whole;
    else if (kind && good) claim = kind;
    else if (
      zeroed &&
      (kind ??
        whole ??
        (ran || uses || tried ? 'verified' : undefined) ??
        (clause.text.trim().length < 28 ? 'tests' : undefined))
    )
      claim = kind ?? whole ?? (ran || uses || tried ? 'verified' : 'tests');
    else if (works) claim = kind ?? 'verified';
    else if (!fails && !negated && t.length < 60 && ALL.test(t) && RESULT.test(t) && !ELSEWHERE.test(t))
      claim = 'tests';
    else if ((ran || uses) && good) claim = 'verified';
    // "Export mit deiner Datei getestet: alle Zeilen sind da"
    else if (ran && clause.colon && !fails && !negated && !none && clause.text.trim().length > 7)
      claim = kind ?? 'verified';
    else if (!fails && WHOLE.test(t) && (kind || (good && clauses.length === 1))) claim = kind ?? 'tests';
    else if (uses && !fails && PLACE.test(t) && VERIFIED.test(t) && !words.fail.test(text)) claim = 'verified';
    if (claim && !/(?:^|\s)(?:[1-9]\d*) (?:falha|fall|fehlgeschl)/.test(t)) {
      const begin = clause.start + (clause.text.length - clause.text.trimStart().length);
      found.push({
        kind: claim,
        start: span.start + begin,
        end: span.start + clause.start + clause.text.trimEnd().length,
      });
    }
    head = own ?? head;
  }
  if (code && !found.length && passedLine(code[1]!) && !FOREIGN.test(raw) && whole)
    found.push({ kind: whole, start: span.start + code.index + 1, end: span.start + code.index + 1 + code[1]!.length });
  return found;
}
