/**
 * Second look at a sentence in which a claim was found: what stands around the claim can make it a goal, a rule,
 * a matter of luck, somebody else's word or a success without worth. Runs on claims only, so it costs little.
 */

import { type Hint, hint, may, type Noted } from './hints.ts';

const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';

/** Nouns of what is wanted and not of what is: "the goal is that all tests pass". */
const NORM =
  'goals?|aims?|objectives?|targets?|criteri(?:on|a)|definition|requirements?|conditions?|prerequisites?|preconditions?|rules?|policy|expectations?|assumptions?|premise|hypothesis|theory|ideas?|intent(?:ion)?|plan|checklist|contract|deal|hopes?|wish|promise|bar|ambition|dream|task|challenge|idea|proposal|suggestion|recommendation|advice|question|point of|purpose';

const WANTED = new RegExp(
  `\\b(?:${NORM})\\b[^,;:.]{0,40}(?:\\b(?:is|are|was|were|remains?|says?|demands?|requires?|being|that|to have)\\b|:)[^;.]{0,60}$`,
);
const LABEL = new RegExp(
  `^\\W*(?:[a-z'-]+ ){0,3}(?:${NORM}|message|title|subject|expected|acceptance|wanted|ideal|headline|caption|slogan|tagline|translation|example|wording|template|placeholder|claim|todo|next|open|legend)(?: [a-z'-]+){0,3} ?:`,
);

/** "The gate is open:" is a statement and no label. */
const TOLD = /\b(?:is|are|was|were|went|ran|did|have|has|had|walked|worked)\b[^:]*:/;

const CHANCE =
  /\b(?:(?:pass|passes|passed|works?|succeeds?|green|builds?|compiles?) or (?:not|fails?|red|breaks?|failed)|(?:fails?|red) or (?:pass|passes|green)|depending on|at random|randomly|half (?:of )?the time|most of the time|some of the time|(?:one|two|three|\d+) (?:times? )?in (?:two|three|four|five|ten|\d+)|every (?:other|second|third) (?:run|time)|intermittently|occasionally|sometimes|now and then|on some days|with (?:some |a bit of )?luck|by (?:pure )?(?:accident|chance|luck)|if (?:i am|we are|i'm|we're|you are|you're) lucky|on a good day)\b/;
const DEADLINE = new RegExp(
  `\\b(?:by|before) (?:${DAY}|tomorrow|tonight|noon|next|the end|end of|eod|the release|the deadline|christmas|q[1-4])\\b|\\buntil (?:the|my|i|we|${DAY}|last|now|recently|yesterday|today)\\b`,
);
const DATED = new RegExp(
  `\\b(?:state|result|run|figures?|one|picture) (?:of|from) (?:last|yesterday|before|the (?:last|previous|old)|main|${DAY})|\\b(?:as of|from) (?:last (?:week|month|night|year|release|sprint|${DAY})|yesterday)\\b`,
);
const PICTURE =
  /\bin (?:the|your|that|this|his|her) (?:screenshot|recording|video|picture|photo|demo|mock-?up|slides?|article|old \w+|history|paste|gist)\b[^;.]*$/;
/** What a tool is for: "\`make all\` builds, lints and tests". */
const TOOL =
  /`[^`]+` (?:first )?(?:builds|compiles|lints|checks|runs|tests|type-?checks|tags|packs|publishes|deploys|uploads|formats|installs|bundles|signs|starts|cleans)(?:, | and )(?:then )?(?:builds|compiles|lints|checks|runs|tests|type-?checks|tags|packs|publishes|deploys|uploads|formats|installs|bundles|signs|starts|cleans)\b/;
const THEIRS =
  /^\W*(?:their|his|her) (?:\w+ ){1,3}(?:says?|shows?|claims?|reports?|reads?|said)\b|\b(?:on|in) (?:your|their|his|her) (?:own )?(?:machine|side|end|laptop|setup|ci|environment|branch|fork|screen|log|paste|screenshot|message|output|terminal|server|computer|report|comment|note|post|review|pc|system|box|device)\b|\bfor (?:you|him|her|them)\b|\b(?:run|log|build|job|pipeline|output|report|trace|page|gist) (?:that |which )?(?:you|he|she|they|somebody|someone) [a-z]+/;
const SAYS =
  /(?:\bor so\b|\b(?:says?|said|claims?|claimed|wrote|writes|reckons|according to|as per|per|stated|going by|judging by|in the words of|told|promises)\b)[^,;.]{0,24}\b(?:tickets?|issue|you|your|users?|customer|client's|vendor|authors?|reporter|colleague|docs?|documentation|readme|changelog|thread|comments?|message|maintainers?|reviewer|teammate|support|he|she|they|badge|wiki|release notes|blog|post|article|manual|title|description|somebody|someone|people)\b/;
const WORTHLESS =
  /\b(?:but (?:that|this|it) (?:was|is) (?:from )?before (?:the|my|i|we)\b|premature|too early|too soon|(?:no|not a) (?:real )?(?:fix|cure|proof|solution|evidence)|misleading|meaningless|worthless|useless|pointless|(?:which|that|this|it|they|those|these|but) (?:alone )?(?:says?|tells?|means?|proves?|shows?) (?:us |me |you )?(?:nothing|little|not much|very little)|(?:do|does|did) not (?:mean|prove|say|show|tell|count)|(?<!\bi )(?:don't|doesn't|didn't|can't|cannot|wouldn't|shouldn't) (?:mean|prove|say|tell|count|trust|rely|be trusted)|not (?:mean|prove|trust) (?:much|anything|it|that)|for (?:the|a) wrong reasons?|wrong (?:package|branch|folder|directory|project|commit|suite|file|config|target|environment|version)|coincidence|(?:hides?|masks?|masked|hid|swallows?|swallowed|ignores?|suppresses) (?:the|a|every|all|any|its|both) (?:problem|failures?|errors?|bug|exit|defect)|because (?:it|they|we|i|the \w+) (?:(?:ran|runs|has|had|executes|executed|contains?|contained) (?:no|zero|0) |(?:tests|tested|checks|checked|did|does) nothing|skips?|skipped|ignores?|ignored|never|mocks?|mocked|disabled?|swallow\w*)\b|vacuous\w*|(?:passed|worked|succeeded|compiled|built|green) before(?=\s*(?:[,.;)]|$))|by (?:nobody|no one)\b|(?:passed|worked|succeeded|compiled|built|(?:was|were) (?:green|fine|clean|ok)) before (?:(?:the|my|this|that|any) (?!push|commit\b|deploy|deadline)|(?:i|we) (?!push|commit|sent|wrote|opened|deploy))|without (?:testing|asserting|checking|running|executing|verifying) (?:any\w*|a|the|one)|for any (?:input|value|argument)s?|out of (?:0|zero|no)\b|(?:exit|exits|exited|code|status)\b[^;.]*\b(?:but|although|though|yet|while|whereas|despite)\b[^;.]*\bfail\w*|trivially|never (?:ran|executes?|executed|called|awaited|run|reached)|(?:assertions?|asserts?|expectations?|expect calls?|auth check|failing (?:test|tests|case|cases|spec|specs)) (?:removed|disabled|commented out|deleted|turned off|stubbed|mocked)|comment(?:ed|ing)? (?:out|it out)|stubbed out|\|\| (?:true|:)|but (?:it|they|that) (?:ran|executed|collected|found|contains?|has|had|covers?) (?:zero|no|0) (?:tests?|specs?|cases?|assertions?)|(?:and|but|with) (?:it|they|which|that) (?:has|have|had|shows?|showed) (?:\w+ )?(?:failures?|errors?|failing)|(?:always|even when|even if|regardless|no matter (?:what|whether|if)|whether or not) [^,.;]{0,30}(?:fail\w*|broken|red)|does not count|not to be trusted|take (?:that|it|this) with)\b/;
/** The check was made harmless first. */
const DISARMED =
  /\bworks? through (?:the|a|its|all|every|each) (?:\w+ )?(?:queue|list|backlog|items|fixtures|rows|files|tasks|jobs|entries|directory|tree|messages|records)\b|\b(?:fine|good|ok|okay) as (?:it|they) (?:is|are|stands?)\b|\b(?:starts|launches|boots|comes up|loads|opens)\b[^.;]*\band (?:then )?(?:dies|crashes|hangs|freezes|quits|falls over)\b|\bi(?:'d| would) (?:not )?call (?:that|it|this) (?:flaky|luck|not fixed)|\bthen (?:the |it |they |everything |all )?[\w ]{0,20}\b(?:died|crashed|hung|froze|timed out|gave up|aborted|was killed)\b|^\W*(?:some|parts?|bits|a few|little) of (?:it|this|that|them)\b|\bpass\w* (?:with|on|in|under) the old\b[^.;]*\bfail|\b(?:compiles|builds|works|passes|runs|green|tested|verified), (?:no|nope|not (?:yet|really|at all))\b|(?:not|n't) broken by (?:my|this|the|our)\b|\b(?:one|two|three|[1-4]) of (?:the |my |its |our )?(?:\w+ )?(?:tests|specs|cases|checks|jobs|suites)\b[^;.]*\bpass\w*\b[^;.]*\b(?:others?|rest|remaining)\b[^;.]*\bfail|\b(?:was|were) (?:fine|green|ok|clean|passing|working)\b[^.]{0,30}[;,][^.]{0,30}\b(?:it|they) (?:isn't|is not|aren't|are not|no longer|fails?|(?:is|are) (?:red|broken))|\b(?:clean|green|pass|passes|passing|passed|ok|fine) only (?:in|with|because|since|as|thanks|by)\b|\b(?:an?|any|every) \w+ (?:that|which) [^.;]*\b(?:is|gets|was) (?:shown|marked|reported|displayed|counted|listed) as|\b(?:turned|switched|commented) (?:the|all|its|one|that|this) (?:\w+ )?(?:assertions?|asserts?|checks?|rules?|tests?) (?:off|out)\b|\b(?:removed|disabled|deleted|dropped|commented out|turned off|stubbed|weakened|loosened) (?:the|its|all|one|that) (?:failing |last |only |broken )?(?:assertions?|asserts?|expectations?)\b/;
/** Read and not run. */
const READING =
  /\bfrom the looks? of (?:it|things)\b|\b(?:by|from|after|while|on) (?:just |only |merely |simply |my |a |careful(?:ly)? |close |quick |re-?|mere |pure )*(?:reading|inspection|inspecting|eyeballing|reasoning|looking at (?:it|the (?:code|diff|source)))\b|\bfrom (?:the (?:code|source|diff|docs|types)|what i (?:can tell|read|know))\b|\bfrom what (?:i|one|you) (?:can|could) (?:read|tell|see|gather)\b|\bi have (?:not|n't) (?:run|executed|tried|started)\b|\bthere is nothing (?:that|which) (?:could|can|would)\b/;
const SCARCE =
  /\b(?:(?:less|fewer|no more) than|not even|only (?:a |thing|tests? that|checks? that|job|step|some|one|two|three|half|part)|a (?:handful|minority|fraction|few|third|quarter)|hardly any|one or two)\b(?:(?! and )[^,;:])*$/;
const SOME = /\b(?:some|several|certain|a couple|part|parts|half)\b(?:(?! and )[^,;:])*$/;
const OTHERS = /\b(?:some|others?|the rest|half|the other)\b.{0,20}(?:\bnot\b|n't|\bfail|\bred\b|\bbroken\b)/;
const SOURCE =
  /\b(?:their|his|her|your (?!example|script|file|case|repro\w*|page|app|sample|test|form|site|snippet|query|input|code)) ?(?:\w+ ){1,3}(?:says?|shows?|claims?|reports?|reads?|said)\b|(?:\b(?:according to|as per|judging by|going by)|^\W*per) (?:the |a |an |your |its |their |his |her )?(?:\w+ )?(?:tickets?|issue|you|user|customer|vendor|author|reporter|colleague|docs?|documentation|readme|changelog|thread|comments?|message|reviewer|badge|wiki|notes|post|article|manual|description|web ?site|page)\b|\b(?:readme|docs?(?! (?:build|job|tests?|checks?|site))|ticket|vendor|customer|changelog|bug report|issue|thread|wiki|article|post|commit message|manual|web ?site|handbook)\b[^,;.]{0,24}\b(?:says?|said|claims?|claimed|states?|promises?|mentions?|lists?|shows?|has|have|contains?|with|quotes?|reads?)\b/;
const MAYBE =
  "(?:i (?:think|believe|guess|hope|assume|suppose|reckon|presume|imagine|gather|expect|trust|understand|recall|hear|heard)|prob(?:ab|ly)\\w*|presumably|hopefully|supposedly|allegedly|reportedly|apparently|in theory|on paper|in principle|sort of|kind of|more or less|so to speak|in a way|so far as i know|as far as i (?:know|remember|recall)|to (?:the best of )?my knowledge|from memory|if i (?:remember|recall)\\w*(?: \\w+)?|if memory serves|i am told|i'm told|i was told|so they say|they say|in my opinion|in my view|i'd say|i would say|no doubt|almost|nearly|somewhat|or almost|unconfirmed|unverified|unofficially|nominally|conceivably|at best|with luck)";
const HEDGED = new RegExp(`(?<!\\bso)[ ,;(–—-](?:or |and )?(?:at least )?${MAYBE}(?: so)?(?=\\s*(?:[.,;!)]|$))`);
const HEDGE = new RegExp(
  `(?:^|[ (])(?:${MAYBE}|in all (?:likelihood|probability)|by all accounts|(?:the )?odds are|more likely than not|rumou?r has it|word (?:is|has it)|it is said|my (?:bet|money|guess|hope|impression|understanding|prediction|expectation|hunch|feeling|theory|assumption)\\b[^,;.]*|in the best case|from the looks? of (?:it|things)|from now on|in (?:the )?future|going forward|henceforth|supposing|hypothetically|say(?=,)|let us say|let's say|in your case|as far as i can (?:judge|tell|see) without)[, ]`,
);
const NOT_SO =
  /^[^;.]{0,60}?[:=]\s*(?:no(?=\s*(?:[.,;!)]|$))|not|n\/a|pending|unknown|false|never|open|todo|tbd|missing|nope|unclear|\?)(?![\w-])(?! (?:errors?|fail|warn|problem|issue))/;
const EITHER = /(?:^|\b)either\b[^;.]*\bor\b/;
const ELSE =
  /\bup to (?:commit|version|release|and including|yesterday|the last)\b|\bup to `|\bon (?:the|a|its|my) (?:\w+ )?(?:commit|branch|version|release|tag|revision|state) (?:before|prior to|without|preceding)\b|\bbefore (?:mine|ours)\b|\bon the (?:parent|previous|old|other|original|preceding) (?:commit|branch|version|run|release)\b|\b(?:old|former|original|previous) (?:build|run|pipeline|version|commit|setup|config\w*|release|code|implementation|suite|tests?|specs?) (?:\w+ )?(?:was|were|passed|succeeded|worked|compiled|ran)\b|\b(?:passed|worked|succeeded|compiled|was green|were green) in (?:version |release |v)\d/;
const UNSURE =
  /\b(?:do not|don't|can't|cannot|could not|couldn't) (?:know|tell|say|decide) (?:which|whether|if|what|who)\b|\bpredates?\b|\bolder than\b|\bone (?:is|was|came back|says|called it) \w+,? (?:and )?(?:one|the other|another)\b/;
/** What version control does is no behaviour. */
const VCS =
  /\bgit (?:status|diff|log|push|pull|rebase|merge|stash|fetch|clone)\b[^;.]{0,30}\b(?:is|was|shows|says|prints|reports|went|gave|returned)\b|\b(?:push|merge|rebase|checkout|cherry-pick|commit|pull|clone|fetch|working (?:copy|tree)) (?:was|is|went|has been) (?:a |all )?(?:success\w*|clean\w*|smooth\w*|fine|through|without|ok)\b/;
const NONE_PASSED = /\b(?:pass\w*|green|ok|succe\w+)\W{0,3}[:=]\s*0\b/;
const EARLIER =
  /\b(?:my|the) (?:last|previous|earlier|first|other) (?:message|reply|report|answer|summary|note|update|status|statement|claim)\b|\b(?:i|we) (?:said|reported|claimed|told you|announced|stated)\b/;
const AGAIN = /\b(?:again|still|now|this time|as i said|confirmed)\b/;
const RESUMED = /\b(?:but|now|yet|still|today|here)\b/;

/** The stretch of one thought around a claim: from the last semicolon or full stop to the next. */
function around(text: string, start: number, end: number): { before: string; after: string } {
  let stopped = text.lastIndexOf('. ', start - 1);
  // "1. lint clean 2. tests green" is one list.
  while (stopped > 0 && /\d/.test(text[stopped - 1]!)) stopped = text.lastIndexOf('. ', stopped - 1);
  const cut = Math.max(text.lastIndexOf(';', start), stopped);
  const stop = text.indexOf(';', end);
  return { before: text.slice(cut + 1, start), after: text.slice(start, stop < 0 ? undefined : stop) };
}

/** A specification is silent where it says nothing. */
const SILENT =
  /\bspec(?:ification)?s? (?:is|are|was|says|calls|mentions|requires|allows|stays|remains)\b.{0,12}\b(?:on|about|for|that)\b/;
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const PART =
  /(?<!(?:not|step|phase|part|stage|task|item|verified|checked|tested|tried|ran|did|opened|compared|confirmed) )\b(one|two|three|four|five|six|\d+) (?:out )?of (?:the |all )?(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+)\b/;

/** "two of six jobs" */
function minority(text: string): boolean {
  const m = PART.exec(text);
  if (!m || /\bfail|\berror/.test(text)) return false;
  const value = (word: string) => (/\d/.test(word) ? Number(word) : NUMBERS.indexOf(word));
  return value(m[1]!) < value(m[2]!) / 2;
}

/**
 * Which patterns a text can hold at all: each has uncommon words, and a text without one of them by its first letters
 * need not be searched. The words are taken from the patterns themselves, so that none is forgotten.
 */
const COMMON = new Set(
  'the and are was were for not all has have had that this test tests pass passed passes green clean fail error lint lints types compile compiled compiles build builds built run runs ran work works worked suite code check checks case cases with what now still again new two zero fix true auth does did can say and any red yes via page last first file files main one time times way real from without is it in of on to as at an be do so no my we he me am up go us'.split(
    ' ',
  ),
);
const HINTS = new Map<RegExp, Hint>();

/** Patterns that name many things: the words without which none of their forms can stand. */
const KEYS = new Map<RegExp, string>([
  [DEADLINE, 'by before until'],
  [DATED, 'last yesterday before previous old main monday tuesday wednesday thursday friday saturday sunday'],
  [PICTURE, 'screenshot recording video picture photo demo mock slide article old history paste gist'],
  [THEIRS, 'your their his her him them you'],
  [SAYS, 'say said claim wrote writes reckon according per stated going judging words told promise or'],
  [SCARCE, 'less fewer more even only handful minority fraction few third quarter hardly one'],
  [
    SOURCE,
    'their his her your according per judging going readme doc ticket vendor customer changelog bug issue thread wiki article post commit manual web handbook',
  ],
  [ELSE, 'up version release before prior without preceding mine ours parent previous old other original former'],
  [EARLIER, 'last previous earlier first other said reported claimed told announced stated'],
  [SILENT, 'spec'],
  [VCS, 'git push merge rebase checkout cherry commit pull clone fetch working'],
]);

for (const pattern of [
  ...KEYS.keys(),
  WANTED,
  LABEL,
  CHANCE,
  WORTHLESS,
  DISARMED,
  READING,
  SOME,
  HEDGED,
  HEDGE,
  EITHER,
  UNSURE,
]) {
  const words =
    KEYS.get(pattern)?.split(' ') ?? pattern.source.replace(/\\[a-z]|[a-z]\?/g, ' ').match(/[a-z]{2,}/g) ?? [];
  HINTS.set(pattern, hint(words.filter(word => KEYS.has(pattern) || !COMMON.has(word))));
}

/** For one sentence: whether a claim in it is taken back by the rest. */
export function voider(sentence: string, mask: Noted): (start: number, end: number) => boolean {
  let text = sentence.toLowerCase();
  if (text.includes('’')) text = text.replaceAll('’', "'");
  return (start, end) => voided(text, mask, start, end);
}

function voided(text: string, mask: Noted, start: number, end: number): boolean {
  const has = (pattern: RegExp, part: string) => may(mask, HINTS.get(pattern)!) && pattern.test(part);
  const { before, after } = around(text, start, end);
  const upTo = before + text.slice(start, end);
  if (
    has(WANTED, before) ||
    (before.includes(':') && has(LABEL, before) && !TOLD.test(before)) ||
    has(HEDGE, before.slice(before.lastIndexOf(', but ') + 1)) ||
    has(SOURCE, before)
  )
    return true;
  if (has(PICTURE, before) || has(HEDGED, after) || has(DATED, after) || has(SAYS, after)) return true;
  if (has(CHANCE, after) || has(CHANCE, before.slice(before.lastIndexOf(',') + 1)) || has(UNSURE, text)) return true;
  const near = RESUMED.test(after.slice(end - start)) ? after.slice(0, end - start) : after;
  if (has(DEADLINE, near) || has(THEIRS, near) || has(READING, text) || has(DISARMED, text) || has(ELSE, upTo + after))
    return true;
  if (has(WORTHLESS, text.slice(start)) || has(SILENT, upTo + after) || has(VCS, upTo + after)) return true;
  if (has(SCARCE, upTo.slice(0, upTo.search(/\b(?:pass|green|succe|works?|clean|ok)\w*/) + 1 || undefined)))
    return true;
  if (has(SOME, upTo.slice(0, before.length + 12)) && OTHERS.test(after.slice(8))) return true;
  if (has(EITHER, upTo + after) && !/\bnot?\b|n't/.test(after)) return true;
  if (text.includes(' of ') && minority(upTo)) return true;
  if (/[`:=|]/.test(text) && (NOT_SO.test(after) || TOOL.test(upTo + after) || NONE_PASSED.test(after))) return true;
  // "12 errors, 0 warnings"
  if (/^(?:0|no|zero) (?:warnings?|skipped)/.test(after) && /\b[1-9]\d* (?:errors?|problems?|fail)/.test(before))
    return true;
  return has(EARLIER, text) && !AGAIN.test(text);
}

/** Whether a sentence that follows a claim takes it back: "That says nothing", "Of course it is no fix". */
export const takesBack = (text: string): boolean =>
  BACK.test(text) && WORTHLESS.test(text.slice(0, 200).toLowerCase().replaceAll('’', "'"));

const BACK =
  /^(?:\W*(?:but|of course|sadly|still|yet|however|unfortunately|mind you|granted|note that)\W+)*(?:that|this|it|both|they|those|the (?:result|run|green|pass|success))\b/i;
