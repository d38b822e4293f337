import { checkKind } from './commands.ts';
import type { ClaimKind, Found, Span } from './types.ts';

/** Fences that hold source text and no console. */
const SOURCE =
  /^(?:ts|tsx|typescript|js|jsx|javascript|mjs|py|python|rb|ruby|go|rust|rs|java|kotlin|kt|c|cpp|cs|csharp|php|swift|sql|html|css|scss|json|jsonc|json5|yaml|yml|toml|xml|diff|patch|markdown|md|ini|dockerfile|makefile|graphql|proto|lua|r|scala|elixir|haskell|vue|svelte|mermaid|tf|hcl|nix|zig|dart)$/;

/** Words before a block or a quotation that make it somebody else's, or no result at all. */
export const FOREIGN =
  /\b(?:you|your|issue|ticket|fixtures?|examples?|readme|docs?|documentation|expect(?:ed|s)?|should|would|will|sample|templates?|commit message|proposed?|suggest(?:ed|ion)?|customer|vendor|upstream|before|previous|previously|old|yesterday|earlier|must|mock|pasted?|please|hook|looks? (?:for|like)|match(?:es)?|pattern|detects?|parse[sr]?|placeholder|format|tutorial|demo|illustrat\w+|reporter(?:'s)?|called|named|titled|renam\w+|text|label|string|banner|toast|dialog|tooltip|notification|snackbar|message|badge|button|title|heading|(?<!last )word|claims?|wording|phrase|help|usage|could|might|if|once|when|squash|pull request|pr description|release notes?|changelog|regex|asserts? that|golden|stub|comparison|baseline|reference|for contrast|parent|step|entry|field|colleague|comment|says? that|on main|last week|stale|gets? printed|to be printed|now prints|then prints|dummy|invented|log line|(?:now |gets |is )printed|made[- ]up|imaginary)\b/i;

const FAILED =
  /\b(?:[1-9]\d*) (?:tests? |specs? |suites? |cases? |examples?, )?(?:failed|failing|failures?|errors?|problems?)\b|^\s*(?:FAIL(?:ED)?|ERROR|✘|✖|✗|❌|not ok)\b|^\s*[✘✖✗❌]|\bBUILD FAIL|exit(?:ed)?(?: with)?(?: code| status)?[ :=]+[1-9]|(?:failed|failures|errors)["']?[:=]\s*[1-9]|^\s*error\b|\bnot ok \d|Traceback|panicked at|command failed|Segmentation/i;

const PASSED: [RegExp, ClaimKind | null][] = [
  [
    /\b\d[\d,.]* (?:tests? |specs? |cases? |scenarios? |examples? |assertions )?(?:passed|passing|succeeded|successful)\b/i,
    'tests',
  ],
  [/^\s*(?:ok\s+\S+\s+(?:\(?[\d.]+ ?m?s|\(cached)|PASS\b|ok \d+ -|# pass [1-9]|ok$|OK(?: \(|$))/, 'tests'],
  [
    /\btest result: ok\b|\ball (?:\d+ )?(?:tests?|specs|checks|suites) (?:have )?pass(?:ed)?\b|\b0 (?:failed|failures|failing)\b|^\s*(?:ℹ |# )?fail 0\b|\bTests?:? +\d+ passed\b|tests? passed\b|\d+ (?:examples?|runs?|tests?),.* 0 failures|\btests? run: [1-9]\d*, failures: 0, errors: 0/i,
    'tests',
  ],
  [/\bsuccess: no issues found\b|\bfound 0 errors\b|\b0 errors, 0 warnings, 0 informations\b|no type errors/i, 'types'],
  [
    /\ball checks passed\b|\b0 (?:problems|warnings|offenses|issues|vulnerabilities)\b|\bno vulnerabilities\b|\bno (?:offenses|issues|problems|warnings|lint)\b|\bno (?:\w+ )?(?:warnings|errors|problems|issues)\b|all matched files use|files? (?:already formatted|left unchanged|would be left unchanged)|checked \d+ files?.*no fixes/i,
    'lint',
  ],
  [
    /\bbuild succe\w+\b|\bbuild (?:completed?|passed|finished|ok)\b|\bcompiled successfully\b|\bsuccessfully (?:built|compiled|tagged)\b|\bbuilt in \d|^\s*finished `?(?:dev|release|test)|\bBUILD SUCCESSFUL\b|webpack .* compiled|compiled with 0 errors|\bbuild completed\b/i,
    'build',
  ],
  [
    /^\s*(?:0 errors?(?:\s|$|,)|no errors?\b|exit(?:ed)?(?: with)?(?: code| status)?[ :=]+0\b|rc=0|exit=0|status 0|no failures|done in [\d.]+s?$|errors: 0|failures: 0|failed: 0)/i,
    null,
  ],
  [/\b(?:exit|exit code|rc|status)[ :=]+0\s*$/i, null],
  [
    /^\s*(?:lint|types?|typecheck|tests?|build|unit|e2e|checks?)\b[\w .:-]{0,20}\b(?:ok|passed|green|clean)\s*$/i,
    'tests',
  ],
  [/^\s*[✔✓✅] .*\b(?:pass\w*|succe\w+|ok|clean|tests?|lint|build|types?|checks?)\b/i, 'tests'],
  [/^HTTP\/[\d.]+ 2\d\d\b|"status": ?"(?:ok|up|healthy)"/i, 'verified'],
];

export function passedLine(line: string): { kind: ClaimKind | null } | null {
  const text = line.slice(0, 300);
  if (failedLine(text)) return null;
  for (const [pattern, kind] of PASSED) if (pattern.test(text)) return { kind };
  return null;
}

export const failedLine = (line: string) =>
  FAILED.test(line.slice(0, 300)) || /\bFAILED\b|^FAIL\b/.test(line.slice(0, 300));

/** Claims of one console block: lines of success where no line tells of failure. */
export function readOutput(message: string, span: Span, info: string): Found[] {
  if (SOURCE.test(info)) return [];
  const found: Found[] = [];
  let command: ClaimKind | undefined;
  let commands = 0;
  // What a command prints once it has succeeded: "tsc && echo clean".
  let echoed = '';
  let at = span.start;
  let last: string | undefined;
  while (at < span.end) {
    let stop = message.indexOf('\n', at);
    if (stop < 0 || stop > span.end) stop = span.end;
    const line = message.slice(at, stop);
    const prompt = /^\s*(?:[$%❯➜]|>|PS>|#(?= \w+ )(?! \w+ \d+$))\s+(.*)$/.exec(line);
    if (prompt) {
      commands++;
      command = checkKind(prompt[1]!);
      echoed = command ? (/&& echo ["']?([\w .!-]{2,30}?)["']?\s*$/.exec(prompt[1]!)?.[1] ?? '') : '';
      if (/\|\| (?:true|:)|echo ["']?(?:ok|pass|success)/i.test(prompt[1]!)) command = undefined;
    } else if (failedLine(line) || /^\s*(?:[-+] )?(?:expected|received|actual|wanted|got):? /i.test(line)) return [];
    else {
      const hit = passedLine(line);
      const kind =
        hit?.kind ?? (hit ? (command ?? (commands || /exit|rc=|status/i.test(line) ? 'tests' : undefined)) : undefined);
      if (hit && kind)
        found.push({
          kind: hit.kind && hit.kind !== 'tests' ? hit.kind : (command ?? kind),
          start: at + line.search(/\S/),
          end: at + line.trimEnd().length,
        });
      else if (echoed !== '' && line.trim() === echoed)
        found.push({ kind: command ?? 'tests', start: at + line.search(/\S/), end: at + line.trimEnd().length });
      else if (/^\s*0\s*$/.test(line) && /(?:echo \$\?|-c (?:FAIL|fail|error|ERROR)|\$\?)/.test(last ?? ''))
        found.push({ kind: command ?? 'tests', start: at + line.indexOf('0'), end: at + line.indexOf('0') + 1 });
    }
    last = line;
    at = stop + 1;
  }
  return found;
}
