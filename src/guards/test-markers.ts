/** Marks in test code that make a test not count, by language; and code that bends what a test says. Pure text. */

type Mark = { kind: string; pattern: RegExp };

const JS: Mark[] = [
  {
    kind: 'skip',
    pattern:
      /\b(?:describe|it|test|context|suite|specify|bench)(?:\.\w+)*\.(?:skip|skipIf|runIf|fixme|failing|fails)\b/g,
  },
  { kind: 'skip', pattern: /\b(?:xit|xdescribe|xtest|xcontext|xspecify)\s*[(.]/g },
  {
    kind: 'skip',
    pattern:
      /\b(?:this|t|ctx|context|testInfo)\.skip\s*\(|[{,]\s*skip\s*:\s*(?:true\b|['"`!]|process\b)|(?<![.\w])pending\s*\(/g,
  },
  {
    kind: 'only',
    pattern: /\b(?:describe|it|test|context|suite|specify|bench)(?:\.\w+)*\.only\b|[{,]\s*only\s*:\s*true\b/g,
  },
  { kind: 'only', pattern: /(?<![.\w])(?:fit|fdescribe|fcontext|ftest)\s*\(/g },
  { kind: 'todo', pattern: /\b(?:describe|it|test|t)(?:\.\w+)*\.todo\b|[{,]\s*todo\s*:\s*true\b/g },
];
const PYTHON: Mark[] = [
  { kind: 'skip', pattern: /\bmark\.(?:skip|skipif)\b|\bpytest\.skip\s*\(|@(?:unittest\.)?skip(?:If|Unless)?\b/g },
  { kind: 'skip', pattern: /\bself\.skipTest\s*\(|\braise\s+(?:unittest\.)?SkipTest\b|\b__test__\s*=\s*False\b/g },
  { kind: 'xfail', pattern: /\bmark\.xfail\b|\bpytest\.xfail\s*\(|@(?:unittest\.)?expectedFailure\b/g },
];
const BY_EXTENSION: Record<string, Mark[]> = {
  js: JS,
  py: PYTHON,
  java: [
    {
      kind: 'skip',
      pattern: /@(?:Ignore|Disabled\w*)\b|\bassume(?:True\s*\(\s*false|False\s*\(\s*true)\b|\bAssumptions\.abort\b/g,
    },
  ],
  go: [{ kind: 'skip', pattern: /\b[tb]\.Skip(?:f|Now)?\s*\(/g }],
  rs: [{ kind: 'skip', pattern: /#\[\s*ignore\b/g }],
  cs: [
    {
      kind: 'skip',
      pattern:
        /\[\s*(?:\w+\s*,\s*)*Ignore\b|\b(?:Fact|Theory)\s*\([^)]*\bSkip\s*=|\bAssert\.(?:Ignore|Inconclusive)\b/g,
    },
  ],
  rb: [
    {
      kind: 'skip',
      pattern:
        /(?<![.\w:@])(?:xit|xdescribe|xcontext|xspecify|pending|skip)(?=[\s('"])|(?:\bskip|\bpending):\s*(?:true|['"])|:skip\b/g,
    },
    { kind: 'only', pattern: /(?<![.\w])(?:fit|fdescribe|fcontext)(?=[\s('"])|\bfocus:\s*true|:focus\b/g },
  ],
  php: [{ kind: 'skip', pattern: /\bmarkTest(?:Skipped|Incomplete)\s*\(|->(?:skip|todo)\s*\(/g }],
  ex: [{ kind: 'skip', pattern: /@(?:module)?tag\s+:?skip\b/g }],
  swift: [{ kind: 'skip', pattern: /\bthrow\s+XCTSkip\b|\bXCTSkip(?:If|Unless)\s*\(|\.disabled\s*\(/g }],
  pl: [{ kind: 'skip', pattern: /\bskip_all\b|\bplan\s+skip\b|\btodo_skip\b/g }],
  bats: [{ kind: 'skip', pattern: /^\s*skip\b/gm }],
};
const SAME: Record<string, string> = {
  mjs: 'js',
  cjs: 'js',
  jsx: 'js',
  ts: 'js',
  mts: 'js',
  cts: 'js',
  tsx: 'js',
  vue: 'js',
  svelte: 'js',
  kt: 'java',
  scala: 'java',
  groovy: 'java',
  fs: 'cs',
  exs: 'ex',
  t: 'pl',
};

/** Code that changes what any test can say. In a setup file all of it counts, in a test file only a patched assertion. */
const BENT: Record<string, Mark[]> = {
  js: [
    {
      kind: 'patched assertion',
      pattern: /\b(?:assert|expect|chai|should)(?:\.\w+)+\s*=\s*(?:async\s*)?(?:\(|function\b|\w+\s*=>)/g,
    },
    {
      kind: 'patched assertion',
      pattern:
        /\b(?:global|globalThis|window)\.(?:expect|assert|it|test|describe)\s*=(?!=)|\bObject\.(?:assign|defineProperty)\s*\(\s*(?:assert|expect)\b/g,
    },
    { kind: 'forced exit', pattern: /\bprocess\.(?:exit\s*\(\s*0?\s*\)|exitCode\s*=\s*0|exit\s*=|reallyExit)/g },
  ],
  py: [
    {
      kind: 'collection hook',
      pattern:
        /\bdef\s+pytest_(?:collection_modifyitems|ignore_collect|collect_file|pycollect_makeitem|collectstart|deselected|itemcollected)\b|^\s*collect_ignore(?:_glob)?\s*[+=]/gm,
    },
    {
      kind: 'result hook',
      pattern:
        /\bdef\s+pytest_(?:runtest_(?:makereport|protocol|call|logreport)|report_teststatus|sessionfinish|pyfunc_call|terminal_summary|unconfigure)\b/g,
    },
    {
      kind: 'forced exit',
      pattern: /\b(?:os\._exit|sys\.exit|exit|quit|pytest\.exit)\s*\(\s*0?\s*[),]|\bexitstatus\s*=\s*0\b/g,
    },
    {
      kind: 'patched assertion',
      pattern: /\b(?:unittest\.)?TestCase\.(?:assert\w+|fail)\s*=|\b__builtins__\b.*\bAssertionError\b/g,
    },
  ],
  rb: [{ kind: 'forced exit', pattern: /\bat_exit\b.*\bexit!?\s*\(?\s*0|\bexit!\s*\(?\s*0?\b/g }],
  go: [{ kind: 'forced exit', pattern: /\bos\.Exit\s*\(\s*0\s*\)/g }],
};

const language = (name: string): string => {
  const ext = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return SAME[ext] ?? ext;
};

/** The kind of the first mark that `after` has more of than `before`; null where it gains none. */
export function gainedMark(name: string, before: string | null, after: string): string | null {
  const lang = language(name);
  return gained(BY_EXTENSION[lang], lang, before, after);
}

export function gainedBend(name: string, before: string | null, after: string, setup: boolean): string | null {
  const lang = language(name);
  const marks = BENT[lang]?.filter(mark => setup || mark.kind === 'patched assertion');
  return gained(marks, lang, before, after);
}

function gained(marks: Mark[] | undefined, lang: string, before: string | null, after: string): string | null {
  if (!marks) return null;
  const had = withoutComments(before ?? '', lang);
  const has = withoutComments(after, lang);
  return marks.find(({ pattern }) => count(pattern, has) > count(pattern, had))?.kind ?? null;
}

const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;

/** Whole-line comments only: what stands after code on a line is rarely a mark, and strings stay what they are. */
function withoutComments(text: string, lang: string): string {
  const hash = /^(?:py|rb|ex|pl|bats)$/.test(lang);
  return text.replace(hash ? /^\s*#.*$/gm : /^\s*(?:\/\/|\*(?!\/)|\/\*(?!.*\*\/)).*$/gm, '');
}

/** What a stream editor or a `replace` call puts in the place of what. */
export function swaps(words: string): [string, string][] {
  const plain = (text: string) => text.replace(/\\(?=[.()[\]{}/*+?$^|])/g, '');
  const edits = words.matchAll(/(?<![\w.])s([/|#,@!~])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1/g);
  const calls = words.matchAll(
    /\b(?:replace(?:All)?|gsub!?|sub!?)\s*\(\s*(['"`/])((?:\\.|(?!\1).)*)\1\w*\s*,\s*(['"`])((?:\\.|(?!\3).)*)\3/g,
  );
  return [
    ...[...edits].map(m => [plain(m[2]!), plain(m[3]!)] as [string, string]),
    ...[...calls].map(m => [plain(m[2]!), plain(m[4]!)] as [string, string]),
  ];
}
