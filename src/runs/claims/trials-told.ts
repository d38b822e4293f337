import { type Look, look } from './look.ts';

const SITES =
  'staging|production|prod|preview|the (?:browser|device|phone|emulator|simulator|preview|test system|live (?:site|system|page)|\\w+ environment|app|console|dashboard|inspector)|a (?:phone|real \\w+|browser|fresh \\w+|clean \\w+)|(?:my|an?) (?:\\w+ )?(?:phone|machine|laptop|browser|device|tablet)|chrome|firefox|safari|edge|linux|windows|macos|android|ios';
const USES =
  '(?:open|log in|sign in|load|play|upload|download|connect|reach|export|import|print|save|scroll|install|submit|reload|edit|search|start|restore|build|compile|read|stream|call|pay|register)';
const PAPER =
  'paper|mind|theory|vain|principle|the (?:spec\\w*|docs?|documentation|source|code|ticket|team|issue|diff)';

/** Trials: where they were, what the second run changed, what can be done again. */
export const TRIALS_TOLD: Look[] = [
  look(
    'verified',
    'tested retested tried',
    /[FnoHILXx]/,
    new RegExp(
      `^\\W*(?:(?:i|we|also|then|both) )*(?:have |'ve )?(?:(?:re)?tested(?: (?:it|this|that|them|both|everything))?|tried (?:it|this|that|them|both)(?: out)?|tried(?=[^.;:]* and ))(?: \\w+ly| twice| again)? (?:with|on|in|under|against|via|using|at|from|across|by) (?!${PAPER})[^.;:]{2,90}[.!]?$`,
    ),
  ),
  look(
    'verified',
    'saw seen watched',
    /[FnoHILXx]/,
    new RegExp(
      `\\b(?:saw|seen|watched) (?:it|this|that|them|both|all of it)(?: \\w+ing)? (?:on|in|with) (?:${SITES})\\b`,
    ),
  ),
  look(
    'verified',
    'can',
    /[FnoILXx2]/,
    new RegExp(
      `(?:^\\W*(?:with|after|since) [^,;.]{3,60},? (?:i|we|users|visitors) can (?:now |again )?${USES}\\b|\\b(?:i|we) can (?:now |again )${USES}\\b|\\b(?:i|we) can ${USES}\\b[^.;]{0,50}\\b(?:again|now)\\b(?! (?:if|when|once)))`,
    ),
  ),
  look(
    'verified',
    'second third next repeated another later following',
    /[HILXx2]/,
    /\b(?:second|third|next|repeated|another|later|following)(?: (?:run|pass|call|time|one|import|execution|invocation|start|sync))?(?: and (?:the )?(?:third|fourth|next))?(?: \w+)? (?:changed|changes|did|does|touched|altered|wrote|added|modified|found|finds|reported|moved) (?:nothing|not a \w+|no (?:files?|rows?|more))\b/,
  ),
  look(
    'verified',
    '200 201 202 204 206',
    /[HILXxF2]/,
    /^(?!.*\b[45]\d\d\b).*\b(?:curl|get|post|put|patch|delete|requests?|calls?|endpoint|route|url|health\w*|ping|http|webhook)\b[^.;]*(?:[:,→=]|->| gives| gave| got| with) *(?:an? )?(?:http |status )?2\d\d\b(?! (?:ms|milli|sec|kb|mb|rows|lines|items|bytes|records|users|tests))/,
  ),
  look(
    'tests',
    'noticed cared minded flinched blinked protested',
    /[HIL]/,
    /\bno(?:t a| existing| other| single)? (?:tests?|specs?|checks?|suite) (?:\w+ )?(?:noticed|cared|minded|flinched|blinked|protested)\b/,
  ),
  look(
    'verified',
    'came come comes turned turn turns',
    /[HnILXx2]/,
    /(?:^|[,;:] (?:and )?|\band )\W*(?:the|all|every|each|both|my|your|its|it|they|everything) [^,;.]{0,40}\b(?:came|comes?|turned|turns?) out (?:right|correct(?:ly)?|as (?:expected|intended|it should|they should)|perfectly|identical|the same)\b/,
  ),
  look(
    'verified',
    'reproduce reproduced trigger provoke',
    /[ILXx2]/,
    /\b(?:can't|cannot|can not|couldn't|could not|not able to|unable to) (?:reproduce|trigger|provoke) (?:it|them|this|that|the \w+)(?: \w+)?,? (?:any ?more|any longer|after(?:wards)?(?=\W*$| the (?:fix|patch|change))|since(?=\W*$| the (?:fix|patch|change))|now|with (?:the|this|my) (?:fix|patch|change))\b/,
  ),
  look(
    'verified',
    'compiled built opened ran replayed rendered tested tried validated loaded installed played called clicked converted',
    /[FnoHLXx2]/,
    /[;:(–—] ?(?:i |we )(?:have |'ve |also |just )*(?:compiled|built|opened|ran|replayed|rendered|tested|tried|validated|loaded|installed|played|called|clicked|converted) [^,;.]{0,40}\b(?:all|each|every|both|a dozen|\d+|three|two|four|five|six|ten|twelve)\b(?! (?:ideas|approaches|ways|variants|options|things|different))[^;.]*[.)]*$/,
  ),
  look(
    'verified',
    'verified tested validated',
    /[FnoHILXx2]/,
    /\b(?:all|everything|criteria|features?|fix|change|changes|flow|migration|work|steps|items|points|tasks|requirements|implementation|refactor\w*|upgrade|both|it)\b[^,;.]{0,30}\b(?:is|are|was|were|has been|have been|'s|'re) (?:now |all )?(?:\w+ed|met|done|built|in|in place|complete)(?:, \w+ed)*,? and (?:\w+ly )?(?:verified|tested|validated)(?=\W*$| (?:manually|locally|by hand|on|in|with|against|end))/,
  ),
  look(
    'verified',
    'same identical flat constant unchanged level equal stable',
    /[FnoHILXx2]/,
    /\b(?:is|are|was|were|stays?|stayed|remains?|remained|keeps?|kept) (?:exactly |still |perfectly )?(?:the same|identical|flat|constant|unchanged|level|equal|stable) (?:after|before and after|over|for|across|throughout|during|between) [^.;]*\d/,
  ),
  look(
    'verified',
    'with after',
    /[FnoHILXx2]/,
    /^\W*(?:with|after) (?:the|a|an|my|both|two) [^,;.]{3,60}\b(?:off|on|down|open|unplugged|disabled|stopped|running|full|empty|gone|away|back|again),? (?:the|a|every|each|all|my) [^,;.]{2,40}\b(?:goes through|works|arrives|succeeds|loads|opens|reconnects|finishes|completes|survives|gets through|comes (?:up|back))\b/,
  ),
  look(
    'verified',
    'right correct expected same',
    /[FnHILXx]/,
    /(?:\b(?:both|all|each|every one)(?: of)?(?: (?:your|the|my|its|these|those|\d+))* \w+(?: \w+)? (?:now |again |still )?(?:gives?|returns?|shows?|prints?|produces?|yields?|gets?) the (?:right|correct|expected|same)\b|(?:\bi|\band|,) (?:i )?(?:got|received|saw) (?:back )?(?:exactly |just )?(?:the |all )?(?:\w+ )?(?:right|correct|expected|same|matching) \w+|\b(?:finds?|found|returns?|returned|gives?|gave) (?:exactly )?the same [\d,]+ (?:\w+ )?as\b|^\W*with \d[\d,.]*(?:, | and | or |\d|[,.])+[^.;]*\b(?:same|identical|right|correct)\b|, all (?:of them )?(?:correct|right|as expected)\W*$)/,
  ),
  look(
    'verified',
    'listened watched tried went walked clicked looked opened',
    /[FnoHILXx2]/,
    /^\W*(?:the|all|both|each|every|it|they|your|my)\b[^,;]{8,120}, i (?:have |'ve )?(?:listened to|watched|tried|went through|walked through|clicked through|looked at|opened) (?:it|them|both|all|every|each|the whole|the entire|\d+|two|three|four|five)\b(?![^.;]*\b(?:code|source|docs|callers|diff)\b)/,
  ),
  look(
    'tests',
    'now today after afterwards currently',
    /[nHIX]/,
    /\b\d+ (?:\w+ )?(?:errors|warnings|failures|failing \w+|problems|findings|failed)\b[^.;]*[,;:–—-] ?(?:and )?(?:(?:none|0|zero) (?:now|after(?:wards)?|today|left|any ?more)\W*$|now|today|after(?:wards)?|currently):? (?:there (?:are|is) |it is |it's |i see |we have )?(?:none|no more|0|zero)\b/,
  ),
  look(
    'verified',
    'usable working functional operational stable healthy responsive reachable',
    /[FnoHILXx2]/,
    /\b(?:is|are) (?:back|in|live|up|here|alive) and (?:fully |completely |again )?(?:usable|working|functional|operational|stable|healthy|responsive|reachable)\b/,
  ),
  look(
    'tests',
    'snapshot snapshots golden goldens screenshot expectation expectations',
    /[HIL]/,
    /^\W*(?:no|not a single|not one|none of the) (?:\w+ )?(?:snapshots?|goldens?|golden files?|screenshots?|expectations?|fixtures?) (?:has |have |had to |needed to |was |were |is )?(?:be )?(?:changed?|moved|differs?|differed|touched|updated)\b/,
  ),
  look(
    'verified',
    'network console inspector devtools profiler',
    /[FnoHILXx2]/,
    /^\W*in the (?:network (?:tab|panel|log)|console|inspector|dev ?tools|profiler)\b[^.;]{0,20}(?:there (?:is|are|was|were)|i (?:now |only )?(?:see|saw|get|got)|it (?:says|shows|shows up))/,
  ),
  look(
    'verified',
    'end end-to-end',
    /[FnHILx2]/,
    /\b(?:runs?|ran|works?|worked|goes through|went through) (?:\w+ )?end[- ]to[- ]end\b(?! tests?)/,
  ),
  look(
    'verified',
    'ended came finished left',
    /[FnoHILx2]/,
    /\b(?:ended up|came out|finished|was left|were left) with (?:a|an|the|one|two) (?:\w+ )?(?:running|working|valid|correct|complete|identical|bootable|usable|playable|readable) \w+/,
  ),
  look(
    'verified',
    'lost missing dropped skipped corrupted garbled rejected duplicated left',
    /[FHILXx2]/,
    /^\W*(?:(?:i |we )?[a-z]+(?:ed|ent|aid|an|ut) [^;:]{6,80}[,:;–—-] ?(?:and )?(?:nothing|none|not one|not a single one|no \w+) (?:\w+ )?(?:was |were |got |is |are )?|[^;:]{3,40}(?:ed|ent|ran|went) [^;:]{3,60}[,;–—-] ?(?:and )?(?:nothing|none|not one|no \w+) (?:was|were|got) )(?:lost|missing|dropped|skipped|corrupted|garbled|rejected|duplicated|left out|left behind|out of place)\W*$/,
  ),
  look(
    'verified',
    'able',
    /[FnoHILXx2]/,
    /\b(?:is|are) (?:now |again )(?:\w+ )?able to (?:handle|parse|read|open|process|convert|load|import|render|play|decode) (?:all|every|each|any|both|your|the \w+ (?:files?|samples?))\b/,
  ),
  look(
    'verified',
    'correctly properly reliably expected intended',
    /[FnoHILXx2]/,
    /(?:^|[,;:] (?:and )?)\W*(?:the|all|every|each|both|your|[a-z]+s)\b[^,;.:]{0,40}\b(?:is|are) (?:now |again |still |all )?(?:displayed|shown|rendered|handled|saved|loaded|parsed|sent|delivered|formatted|sorted|calculated|computed|counted|aligned|restored|escaped|detected|recogni[sz]ed|applied|drawn|read|written|synced) (?:correctly|properly|reliably|as expected|as intended)(?: again| now| everywhere)?\W*$/,
  ),
];
