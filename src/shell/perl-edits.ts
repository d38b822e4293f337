import { beyond, LETTERS, type Replacement, type Substitution } from './line-edits.ts';

const PAIRS: Record<string, string> = { '{': '}', '(': ')', '[': ']', '<': '>' };

/** The substitutions a perl program is made of; throws where it holds anything else. */
export function perlSubstitutions(code: string): Substitution[] {
  const found: Substitution[] = [];
  let i = 0;
  const blank = (): void => {
    while (/[\s;]/.test(code[i] ?? '')) i++;
  };
  const part = (open: string): string => {
    const close = PAIRS[open] ?? open;
    let depth = 1;
    let text = '';
    for (; ; i++) {
      const c = code[i] ?? beyond();
      if (c === '\\') {
        const next = code[++i] ?? beyond();
        text += next === close && close === open && !/[.*+?^$|()[\]{}]/.test(next) ? next : `\\${next}`;
        continue;
      }
      if (c === close && --depth === 0) break;
      if (c === open && close !== open) depth++;
      text += c;
    }
    i++;
    return text;
  };
  for (blank(); i < code.length; blank()) {
    if (code[i++] !== 's' || !/[^\w\s]/.test(code[i] ?? '')) beyond();
    const open = code[i++]!;
    const source = part(open);
    if (PAIRS[open]) {
      blank();
      i++;
    }
    const by = part(PAIRS[open] ? code[i - 1]! : open);
    const flags = /^\w*/.exec(code.slice(i))![0];
    i += flags.length;
    if (/[^gims]/.test(flags) || source === '' || /[$@](?=[A-Za-z_{])|\\[AzZQEGKX]|\(\?[<P#&R{]/.test(source)) beyond();
    found.push({
      kind: 's',
      re: new RegExp(source, `g${flags.replace(/g/g, '')}`),
      by: perlReplacement(by),
      nth: 1,
      all: flags.includes('g'),
      print: false,
    });
  }
  return found.length > 0 ? found : beyond();
}

function perlReplacement(text: string): Replacement {
  return text.split(/(\\[\s\S]|\$(?:\d+|&|\{\d+\})|[$@](?=\w|\{))/).flatMap((piece): Replacement => {
    if (piece === '') return [];
    if (piece === '$&') return [0];
    if (/^\$[\d{]/.test(piece)) return [Number(piece.replace(/\D/g, ''))];
    if (/^[$@]$/.test(piece)) return beyond();
    if (piece[0] !== '\\') return [piece];
    const c = piece[1]!;
    return /\d/.test(c) ? [Number(c)] : LETTERS[c] !== undefined ? [LETTERS[c]!] : /\w/.test(c) ? beyond() : [c];
  });
}
