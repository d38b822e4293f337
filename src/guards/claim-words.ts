/** Which words name a verdict, and which say that it is good. Pure text. */
import { isGoodMark, strip } from './claim-letters.ts';

const LABEL =
  /^(?:(?:the|our|its|this)\s+)?(?:(?:overall|final|suite|test|tests|gate|verification|verify|qa|review|ci|build)\s+)*(?:verdict|status|result|results|outcome|conclusion|verify|verification|overall|gate|decision|tests?|suite|sign\s?off)$/i;
const GOOD =
  /^(?:(?:overall|final|full|conditional|provisional|unconditional|a|clean|all)\s+)*(?:pass|passed|passes|passing|success|successful|succeeded|approved|accepted|green|verified|ok|lgtm|ship\s+it|good\s+to\s+go|(?:\d+\s+)?(?:tests|checks|suites)\s+(?:(?:are|have)\s+)?(?:pass(?:ed|es|ing)?|green))\b|^all\s+clear$|^(?:no|zero|0)\s+(?:failures?|failing\s+tests?)$/i;
const BARE = /^(?:PASS|PASSED)$/;
/** "PASS only if", "PASS or FAIL": a rule or a template, not a verdict. */
const CONDITION =
  /\b(?:if|only|unless|when|until|once|criteria|or|pending|tbd|todo|unknown|not|never|cannot|can't|isn't|expected|required|needed)\b/i;
/** `PASS (12/12)`, `PASSED: all tests green`: of the whole; `PASS tests/a.ts` and `PASS: mul` are of one case. */
const COUNTED =
  /^PASS(?:ED)?\s*[(,:;\u2013\u2014-]\s*(?:\d+\s*(?:\/|of\b|tests?\b|passed\b|cases?\b)|all\b|every\b|(?:the\s+)?(?:whole|full|entire)\b|exit\b)(?!.*\b(?:fail|if|only|unless|when|until|or)\b)/;
const NEGATED = /\b(?:no|didn't|un|non|without|fail(?:ed|s|ing|ure|ures)?)\b/i;
const NONE_FAILED =
  /\b(?:no|zero|0|without(?: any)?)\s+(?:\w+\s+)?(?:fail\w*|errors?)\b|\b(?:fail\w*|errors?)\s*[:=]?\s*(?:0|none|zero)\b/gi;
const MANY_FAILED = /^\s*[:=]?\s*\d.*?(?:(?:fail|error)\w*\W{0,3}[1-9]|\b[1-9]\d*\W{0,3}(?:fail|error))/i;

export const isLabel = (text: string): boolean => LABEL.test(text.replaceAll('-', ' '));

/** `PASS` alone, as the contract writes it: this form has its case. */
export const isBare = (line: string): boolean =>
  COUNTED.test(line) || BARE.test(line.replace(/^[[(=>\s]{1,20}/, '').replace(/[\])=<\s]{1,20}$/, ''));

/** A label and its value in one line: `Verdict: PASS`, `Result - passed`, `the verdict is PASS`, `Verdict ..... PASS`. */
export function labelled(line: string): boolean {
  const spaced =
    /^(.{2,40}?)(?:\s|[.,\u2026]{1,99}|\s(?:[.\u2026]{1,99}|\||=*>{1,2}|\u21d2|\u00bb)\s)PASS(?:ED)?$/.exec(line);
  if (spaced !== null && isLabel(spaced[1]!)) return true;
  const match = /^(.{2,40}?)\s*(?:[:=]|\s[-\u2013\u2014]\s|\bis\b|->|\u2192)\s*(.+)$/i.exec(line);
  return match !== null && isLabel(strip(match[1]!)) && statesGood(strip(match[2]!));
}

/** A label whose value is a mark alone: `Verdict: \u2705`. Asked of the line as it stands. */
export function marked(raw: string): boolean {
  const match = /^(.{2,40}?)[:=](.{1,40})$/.exec(raw.trim());
  return match !== null && isLabel(strip(match[1]!)) && isGoodMark(match[2]!);
}

export function statesGood(value: string): boolean {
  const good = GOOD.exec(value);
  if (!good) return false;
  const after = value.slice(good[0].length);
  if (/^\s+(?:needs|requires|must|may|should|means|criteria|is|are|counts?)\b/.test(after)) return false;
  if (/^\s*[?<{]|^\s*\[\s*(?:or|fail|[|/])|^\s*[|/]\s*[\w-]+\s*(?:$|[|/)\]>}])/i.test(after)) return false;
  if (MANY_FAILED.test(after)) return false;
  // What a runner prints of one of its parts: `test result: ok. 3 passed; 0 failed`.
  if (/^ok$/i.test(good[0]) && /^\W*\d+ passed\b/.test(after)) return false;
  const rest = after.replace(NONE_FAILED, ' ');
  if (/^\W*(?:(?:or|and|to|vs\.?|then|versus)\W+)?(?:FAIL|BLOCK)/i.test(rest) || CONDITION.test(rest)) return false;
  if (/^(?:.*\s)?PASS(?:ED)?$/.test(good[0])) return true;
  return !NEGATED.test(rest) && !/^\s+(?:the|an?|to|through|over|risks?|your|this|that|it|each|every)\b/i.test(rest);
}

/** A value on a line of its own below its label: results of cases stand there as well (`PASS tests/a`, `Passed: 3`). */
export const standsAlone = (line: string): boolean =>
  statesGood(line) &&
  /^\W*(?:[a-z]+\s+){0,2}[a-z]+\s*(?:$|[(,.;!\u2013\u2014[-]|with\b)/i.test(line) &&
  !/^pass(?:ed)?\s+\w/i.test(line);

const SEGMENT = /[|;,\u00b7\u2022]|\.\s|\s{2,}|\s(?=\*\*)/;

/** One of several statements in a line: `Exit code: 0 | Verdict: PASS`. Only the plainest form counts there. */
export function inSegments(raw: string): boolean {
  if (!/\bPASS/.test(raw) || /[`"\u201c]|\[ \]/.test(raw) || CONDITION.test(raw) || /\bFAIL/.test(raw)) return false;
  return raw.split(SEGMENT).some(part => {
    const match = /^([\w ]{2,40}?)\s*[:=]\s*PASS(?:ED)?$/.exec(strip(part));
    const label = match?.[1]?.trim();
    return label !== undefined && /(?:verdict|status|result|outcome)$/i.test(label) && isLabel(label);
  });
}
