export type Language = 'python' | 'js' | 'perl' | 'ruby' | 'php' | 'lua' | 'tcl';

/** `s` string, `i` identifier (with its sigil), `n` number, `p` punctuation, `x` command string in backticks. */
export type Token = {
  kind: 's' | 'i' | 'n' | 'p' | 'x';
  text: string;
  parts?: (string | { code: string })[];
  line: number;
};

const ESCAPE: Record<string, string> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

function decode(text: string, raw: boolean, single: boolean): string {
  if (raw) return text;
  if (single) return text.replace(/\\(['\\])/g, '$1');
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{1,6})\}?|\n|(.))/gs, (_, hex, uni, c) =>
    hex || uni
      ? String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(hex ?? uni, 16)))
      : c === undefined
        ? ''
        : (ESCAPE[c] ?? c),
  );
}

const INTERPOLATION: Partial<Record<Language, RegExp>> = {
  js: /\$\{((?:[^{}]|\{[^{}]*\})*)\}/g,
  ruby: /#\{((?:[^{}]|\{[^{}]*\})*)\}/g,
  perl: /\$\{?([A-Za-z_]\w*|\d)\}?(?![\w[{])|\$(ARGV\[\d+\])/g,
  php: /\{?\$([A-Za-z_]\w*)\}?/g,
  python: /\{([^{}:!]+)(?:[:!][^{}]*)?\}/g,
};

function pieces(text: string, language: Language): (string | { code: string })[] {
  const regex = INTERPOLATION[language];
  if (!regex) return [text];
  const out: (string | { code: string })[] = [];
  let from = 0;
  for (const found of text.matchAll(regex)) {
    out.push(text.slice(from, found.index));
    const code = found[1] ?? found[2] ?? '';
    out.push({ code: language === 'perl' || language === 'php' ? `$${code}` : code });
    from = found.index + found[0].length;
  }
  out.push(text.slice(from));
  return out;
}

const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const LIMIT = 60_000;

/** Strings, names and punctuation of a program, comments and regular expressions left out. Linear. */
export function tokenize(source: string, language: Language): Token[] {
  const tokens: Token[] = [];
  const hash = language !== 'js' && language !== 'lua';
  const slash = language === 'js' || language === 'php';
  let line = 0;
  let i = 0;
  const end = Math.min(source.length, LIMIT);
  const push = (kind: Token['kind'], text: string, parts?: Token['parts']): void => {
    tokens.push(parts ? { kind, text, parts, line } : { kind, text, line });
  };
  const string = (
    open: number,
    close: string,
    options: { raw?: boolean; plain?: boolean; kind?: Token['kind']; interpolate?: boolean },
  ): void => {
    let k = open;
    while (k < end && !source.startsWith(close, k)) k += source[k] === '\\' ? 2 : 1;
    const body = source.slice(open, Math.min(k, end));
    const cut = options.interpolate && INTERPOLATION[language] ? pieces(body, language) : undefined;
    const kind = options.kind ?? 's';
    push(
      kind,
      decode(body, options.raw ?? false, options.plain ?? false),
      cut?.map(part => (typeof part === 'string' ? decode(part, options.raw ?? false, false) : part)),
    );
    for (const c of body) if (c === '\n') line++;
    i = k + close.length;
  };
  while (i < end) {
    const c = source[i]!;
    if (c === '\n') {
      line++;
      push('p', '\n');
      i++;
    } else if (c === ' ' || c === '\t' || c === '\r') i++;
    else if (c === '\\' && source[i + 1] === '\n') i += 2;
    else if (
      (hash && c === '#' && source[i - 1] !== '$') ||
      (slash && c === '/' && source[i + 1] === '/') ||
      (language === 'lua' && c === '-' && source[i + 1] === '-')
    ) {
      while (i < end && source[i] !== '\n') i++;
    } else if (slash && c === '/' && source[i + 1] === '*') {
      const close = source.indexOf('*/', i + 2);
      i = close < 0 ? end : close + 2;
    } else if (c === '"' || c === "'" || c === '`') {
      if (c !== '`' && language === 'python' && source.startsWith(c.repeat(3), i)) string(i + 3, c.repeat(3), {});
      else if (c === '`') string(i + 1, c, { kind: language === 'js' ? 's' : 'x', interpolate: true });
      else
        string(i + 1, c, {
          plain: c === "'" && language !== 'python' && language !== 'js' && language !== 'lua',
          interpolate: c === '"' && (language === 'perl' || language === 'ruby' || language === 'php'),
        });
    } else if (language === 'lua' && source.startsWith('[[', i)) string(i + 2, ']]', { raw: true });
    else if (/[A-Za-z_$@]/.test(c) || (language === 'perl' && c === '%' && /\w/.test(source[i + 1] ?? ''))) {
      const word = /^[$@%]?[\w$]*/.exec(source.slice(i, i + 128))![0] || c;
      const next = source[i + word.length] ?? '';
      if (language === 'python' && /^[rbfuRBFU]{1,2}$/.test(word) && (next === '"' || next === "'")) {
        const at = i + word.length;
        const triple = source.startsWith(next.repeat(3), at) ? next.repeat(3) : next;
        string(at + triple.length, triple, { raw: /r/i.test(word), interpolate: /f/i.test(word) });
      } else if (
        (language === 'perl' || language === 'ruby') &&
        /^(?:q|qq|qx|qw|m|qr|s|tr|y)$/.test(word) &&
        /[^\w\s,;=.)]/.test(next) &&
        !(next === '-' || (next === '>' && true))
      ) {
        const at = i + word.length;
        const close = PAIRS[next] ?? next;
        if (word === 'q' || word === 'qq' || word === 'qx')
          string(at + 1, close, { kind: word === 'qx' ? 'x' : 's', plain: word === 'q', interpolate: word !== 'q' });
        else if (word === 'qw') {
          const stop = source.indexOf(close, at + 1);
          push('p', '(');
          for (const item of source
            .slice(at + 1, stop < 0 ? end : stop)
            .split(/\s+/)
            .filter(Boolean)) {
            push('s', item);
            push('p', ',');
          }
          push('p', ')');
          i = stop < 0 ? end : stop + 1;
        } else {
          // Substitutions and matches: skip their delimited parts.
          let k = at + 1;
          const parts = word === 'm' || word === 'qr' ? 1 : 2;
          for (let n = 0; n < parts; n++) {
            if (n > 0 && PAIRS[next]) k = source.indexOf(next, k) + 1 || end;
            while (k < end && source[k] !== close) k += source[k] === '\\' ? 2 : 1;
            k++;
          }
          i = Math.min(k, end);
          push('n', '/');
        }
      } else {
        push('i', word);
        i += word.length;
      }
    } else if (/\d/.test(c)) {
      const word = /^[\w.]*/.exec(source.slice(i, i + 64))![0];
      push('n', word);
      i += word.length;
    } else if (
      c === '/' &&
      language !== 'python' &&
      language !== 'php' &&
      language !== 'lua' &&
      regexHere(tokens.at(-1))
    ) {
      let k = i + 1;
      for (let set = false; k < end && source[k] !== '\n' && (set || source[k] !== '/'); k++) {
        if (source[k] === '\\') k++;
        else if (source[k] === '[') set = true;
        else if (source[k] === ']') set = false;
      }
      push('n', '/');
      i = k + 1;
      while (/[a-z]/.test(source[i] ?? '')) i++;
    } else if (
      language === 'ruby' &&
      c === '%' &&
      /^%[wWiIqQx]?[[({<|!]/.test(source.slice(i, i + 3)) &&
      tokens.at(-1)?.kind === 'p'
    ) {
      const open = /^%\w?(.)/.exec(source.slice(i, i + 3))!;
      string(i + open[0].length, PAIRS[open[1]!] ?? open[1]!, {
        kind: open[0][1] === 'x' ? 'x' : 's',
        interpolate: true,
      });
    } else {
      const two = source.slice(i, i + 2);
      const text = /^(?:->|::|=>|==|!=|<=|>=|\+=|\.\.|&&|\|\||:=|=~)$/.test(two)
        ? source.slice(i, i + 3) === '==='
          ? '==='
          : two
        : c;
      push('p', text);
      i += text.length;
    }
  }
  return tokens;
}

const regexHere = (last: Token | undefined): boolean =>
  !last ||
  (last.kind === 'p' && !/^[)\]}]$/.test(last.text)) ||
  (last.kind === 'i' && /^(?:return|if|unless|and|or|not|when|split|grep|case|typeof|in)$/.test(last.text));
