import { type Look, look } from './look.ts';

/** Outcomes: what is right, lost, gone or as it was. */
export const OUTCOMES_TOLD: Look[] = [
  look(
    'verified',
    'fix patch change workaround test',
    /[FnoHILXx2]/,
    /\bthe (?:\w+ )?(?:fix|patch|change|workaround) (?:has )?(?:holds|held|survives|survived) (?:in|for|over|through|across|under|up|with)\b/,
  ),
  look(
    'tests',
    'flaky',
    /[HILXx2]/,
    /^\W*(?:no more|no|zero) flaky (?:runs|tests|specs|failures|results)\b(?! (?:in|by) (?:your|their))/,
  ),
  look(
    'tests',
    'lint test build typecheck check make npm npx yarn pnpm cargo go pytest tsc eslint',
    /[FnHILX]/,
    /^\W*`[^`]{2,60}` ?(?:→|->|=>|⇒) ?(?:exit )?(?:code )?0\W*$/,
  ),
  look(
    'verified',
    'right correct same identical expected',
    /[FnoHILXx2]/,
    /\b(?:totals?|numbers?|sums?|figures|columns|rows|output|dates?|values?|counts?|colou?rs|labels|formats?|amounts?|timestamps?) (?:is|are|come out|came out) (?:all |now |still )?(?:right|correct|the same|identical|as expected)(?! (?:to|as|in the|for the|type|apart))(?=[\s,.;!]|$)/,
  ),
  look(
    'verified',
    'stable steady constant solid smooth full',
    /[FnoHILXx2]/,
    /\b(?:runs?|plays?) (?:at|with) (?:a )?(?:stable|steady|constant|solid|smooth|full) \d/,
  ),
  look(
    'verified',
    'used ran tried played worked tested opened clicked drove',
    /[HILx2]/,
    /^\W*(?:i |we )?(?:used|ran|tried|played|worked with|tested|opened|clicked|drove)\b[^;:.]{4,90}[,:;–—-] ?(?:and )?(?:no|not a|without any|without a) (?:problems?|issues?|trouble|surprises?|complaints?|hiccups?|glitch(?:es)?)\W*$/,
  ),
  look(
    'verified',
    'measured profiled checked watched ran tested',
    /[HILXx2]/,
    /^\W*(?:i |we )?(?:measured|profiled|watched|ran|tested|checked (?:with|in|on))\b[^:]{3,60}: ?(?:no|zero|not a single|nothing)\b[^.;]*\b(?:any ?more|any longer|left)\W*$/,
  ),
  look(
    'tests',
    'those these',
    /[FnHILXx2]/,
    /\b(?:those|these) (?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?:are (?:all |now )?green|(?:all |now )?pass|are (?:all )?passing)\b/,
  ),
  look(
    'verified',
    'way input case sequence combination',
    /[HILXx2]/,
    /\b(?:i|we)\b[^.;]{0,20}\b(?:found|find|saw|see|know of) no (?:way|input|case|sequence|combination)s? (?:to|that|which|where it) (?:break|crash|upset|fail|trip|hang)/,
  ),
  look(
    'verified',
    'occur appear happen come show reproduce occurs appears happens comes shows reproduces',
    /[HLXx2]/,
    /\b(?:error|crash|problem|bug|issue|exception|warning|hang|leak|flicker|freeze)s? (?:does not|doesn't|do not|don't|did not|didn't|no longer) (?:occur|appear|happen|come back|show up|reproduce)s?\b[^.;]*\b(?:when i|with your|i (?:ran|tried)|in my|for me|after \d+|in \d+)\b/,
  ),
  look('tests', 'greens', /[FnoHILXx2]/, /\b(?:\w+|\d+) greens (?:in a row|out of)\b/),
  look(
    'tests',
    'tick ticks checkmark badge',
    /[FnoHILXx2]/,
    /\b(?:pr|pull request|branch|commit|merge request|head)\b[^.;]{0,20}\b(?:has|have|got|shows|is back to|back to) (?:a|its|the|all) green (?:ticks?|check|checkmarks?|mark|badge)\b/,
  ),
  look(
    'verified',
    'compared checked measured counted validated',
    /[FnoHIXx2]/,
    /^\W*(?:the|all|both|each|every|it|they|last|your|my)\b[^,;]{8,120}, i (?:have |'ve )?(?:compared|checked|measured|counted|validated) (?:it|them|both|the (?:counts?|totals?|sums?|numbers?|rows|result))(?: (?:with|against|on|in|by)\b|\W*$)(?![^.;]*\b(?:code|source|docs|spec|callers)\b)/,
  ),
  look(
    'verified',
    'still',
    /[FnoHLXx2]/,
    /\bi (?:left|let)\b[^.;]*(?: and|,) (?:i |it |they )?(?:was|were|am|had|could|is)\b[^.;]*\bstill\b/,
  ),
  look(
    'verified',
    'break broken breaks',
    /[HILXx2]/,
    /\b(?:refactor\w*|changes?|rename|move|upgrade|bump|migration|patch|fix|rewrite|update|merge|switch|removal|cleanup) (?:did not|didn't|does not|doesn't|has not|hasn't|have not|haven't) (?:break|broken) (?:anything|a thing|any(?: of the)? (?:tests?|specs?|builds?|pages?|callers?)|a single \w+)\b/,
  ),
  look(
    'verified',
    'laps rounds runs calls requests clicks messages uploads jobs logins trips attempts tries iterations loops',
    /[nHILXx2]/,
    /^\W*(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|(?:a |one )?hundred|(?:a |one )?thousand)(?: \w+)? (?:laps|rounds|runs|calls|requests|clicks|messages|uploads|jobs|logins|trips|attempts|tries|iterations|loops)\b[^.;:]*[,:;–—] ?(?:and )?(?:no|zero|not a|not one) (?!result|answer|luck|success|clue|cause|pattern|output|idea|reply|green)\w+/,
  ),
  look(
    'verified',
    'smoothly fluently instantly',
    /[FnoHILXx2]/,
    /\b(?:still |now )(?:scrolls?|runs?|plays?|types?|moves?|animates?|loads?|opens?|renders?|pans?|zooms?|drags?|responds?|feels?) (?:smoothly|fluently|instantly)\b/,
  ),
  look(
    'tests',
    'green clean passing successful',
    /[nHIXx2]/,
    /\b(?:had|seen|got|counted|have) (?:\d+|two|three|four|five|six|ten|twenty|fifty|a hundred) (?:green|clean|passing|successful) (?:runs|builds|passes|loops)\b/,
  ),
  look(
    'verified',
    'picked',
    /[FnoHLXx2]/,
    /\b(?:it|they|the \w+) picked (?:up )?(?:the|my) (?:change|edit|update|new \w+)(?: up)?\b/,
  ),
  look(
    'verified',
    'service server app container site system cluster endpoint api daemon database instance',
    /[FnoHILXx2]/,
    /\b(?:service|server|app|container|site|system|cluster|endpoint|page|api|daemon|database|instance) (?:came up|comes up|started|is up|booted|is back)(?: again)? and (?:answers|responds|serves|accepts|replies|works|is healthy|stays up)\b/,
  ),
  look(
    'verified',
    'same',
    /[FnoHILXx2]/,
    /\b(?:every|all|each)\b[^.;]*\b(?:gives?|produces?|yields?|returns?|gave|produced) the same \w+/,
  ),
  look(
    'verified',
    'arrived came showed appeared',
    /[FnoHILXx2]/,
    /\b(?:arrived|came (?:back|through|in|out)|showed up|appeared) (?:\w+ )?(?:with|in) (?:the|all|its|both) (?:right|correct|expected|same) /,
  ),
  look(
    'verified',
    'nothing',
    /[FnHILXx2]/,
    /^\W*(?:in|at|on|with|across|under) [^,.;]{4,60},? nothing (?:sticks out|overlaps|is cut off|moves|jumps|flickers|overflows|is lost|is missing|shifts)\b/,
  ),
  look(
    'verified',
    'dropped lost missed',
    /[nHILXx2]/,
    /\b(?:0|zero|no) (?:dropped|lost|missed) \w+ (?:in|over|after|during|across) (?:\d|a|an|one|two|three|ten|the whole)/,
  ),
];
