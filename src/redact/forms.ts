/**
 * What a secret looks like in a runner's output or on a command line. Every pattern starts at a literal and repeats one
 * class at a time, so the cost is linear in the text; none crosses a line end, so lines keep their place and number.
 */

export const PLACEHOLDER = '[redacted]';

type Form = { name: string; pattern: RegExp; replace: string };

/** A keyed value. Quoted (JSON inside JSON too): up to the closing quote. Bare: up to what ends a value in a shell, in JSON or in XML. */
const VALUE = String.raw`(?:(?<=\\")[^"\\\n\r]+|(?<=(?<!\\)")(?:[^"\\\n\r]|\\.)+|(?<=')[^'\n\r]+|(?:[^\s,;"'\x60<\\]|\\(?![nrt"'\s]).)+)`;

/** A key may end in a result word or in a count (`test_token: FAILED`, `token: 3 passed`): that is a runner speaking. */
const RESULT = String.raw`(?!(?:ok|PASS(?:ED)?|FAIL(?:ED)?|ERRORS?|SKIP(?:PED)?)(?![\w.-])|\d+ (?:pass|fail|test|error|skip))`;

const KEYS = [
  'token',
  'password',
  'passphrase',
  'secret',
  'api[_-]?key',
  'access[_-]?key(?:[_-]?id)?',
  'secret[_-]?(?:access[_-]?)?key',
  'private[_-]?key',
  'account[_-]?key',
  'credentials?',
].join('|');

/** `::` separates names in test identities (`token::expired`), it assigns nothing. */
const ASSIGN = String.raw`\\{0,3}["']?[ \t]*(?:=>|:=|={1,3}|:(?!:))[ \t]*(?:\\{0,3}["'])?`;

/** Words that follow "bearer" in prose and in test names. */
const PROSE =
  '(?!(?:tokens?|auth|authentication|authorization|headers?|schemes?|credentials?|prefix|realm|challenge|is|are|and|or|in|on|of|for|with|without|was|not)(?![\\w./+=~-]))';

export const KEYED_FORMS: Form[] = [
  {
    name: 'authorization',
    pattern: new RegExp(
      String.raw`(authorization["']?[ \t]*[:=][ \t]*["']?(?:(?:basic|bearer|token|digest|negotiate|apikey)[ \t]+)?)(?!(?:basic|bearer|token|digest|negotiate|apikey)[ \t]+\S)${RESULT}${VALUE}`,
      'gi',
    ),
    replace: `$1${PLACEHOLDER}`,
  },
  {
    name: 'bearer',
    pattern: new RegExp(String.raw`(bearer[ \t]+)${PROSE}[^\s"'\x60<\\]+`, 'gi'),
    replace: `$1${PLACEHOLDER}`,
  },
  {
    name: 'keyed',
    pattern: new RegExp(`((?:${KEYS})${ASSIGN})${RESULT}${VALUE}`, 'gi'),
    replace: `$1${PLACEHOLDER}`,
  },
  {
    name: 'keyed-passwd',
    pattern: new RegExp(String.raw`((?:passwd|\b_auth|\bsig|x-amz-signature)=["']?)${VALUE}`, 'gi'),
    replace: `$1${PLACEHOLDER}`,
  },
  {
    name: 'flag',
    pattern: new RegExp(
      String.raw`(--(?:[a-z]{1,20}-){0,3}(?:token|password|passphrase|secret|api-?key|secret-key)[ \t]+["']?)(?!-)${VALUE}`,
      'gi',
    ),
    replace: `$1${PLACEHOLDER}`,
  },
  {
    name: 'user-flag',
    pattern: /((?<=\s)(?:-u|--user|--proxy-user)[ \t]+["']?[^\s:"']{1,128}:)[^\s"'\\]+/g,
    replace: `$1${PLACEHOLDER}`,
  },
  {
    name: 'cookie',
    pattern: /(\bcookie["']?:[ \t]*["']?[\w.-]{1,128}=)[^\s;,"'\\<]+/gi,
    replace: `$1${PLACEHOLDER}`,
  },
  {
    name: 'url-password',
    pattern: /(:\/\/[^\s/:@"'<>]{0,256}:)[^\s/@"'<>]{1,1024}(?=@)/g,
    replace: `$1${PLACEHOLDER}`,
  },
  {
    name: 'url-token',
    pattern: /(:\/\/)[\w-]{20,512}(?=@)/g,
    replace: `$1${PLACEHOLDER}`,
  },
];

/** Tokens that tell by their own shape. `before` keeps a longer word that ends like a prefix (`task-...`) out. */
const before = '(?<![A-Za-z0-9])';
const SHAPES = [
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  `${before}sk-(?:(?:proj|ant|or|svcacct|admin)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})`,
  `${before}[rs]k_(?:live|test)_[A-Za-z0-9]{16,}`,
  `${before}gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,}`,
  `${before}xox[abeoprs]-[A-Za-z0-9-]{10,}`,
  `${before}xapp-[A-Za-z0-9-]{20,}`,
  `${before}npm_[A-Za-z0-9]{30,}`,
  `${before}pypi-[A-Za-z0-9_-]{40,}`,
  `${before}hf_[A-Za-z0-9]{30,}`,
  `${before}shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32,}`,
  `${before}dop_v1_[a-f0-9]{64,}`,
  `${before}AIza[A-Za-z0-9_-]{35,}`,
  `${before}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  `${before}SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,}`,
  `${before}ya29\\.[A-Za-z0-9_-]{20,}`,
  `${before}eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*`,
  '(?<=hooks\\.slack\\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{16,}',
  '(?<=discord(?:app)?\\.com/api/webhooks/)[A-Za-z0-9/_-]{16,}',
];
export const TOKEN = new RegExp(SHAPES.join('|'), 'g');

/** What must not enter the history of a repository, whatever surrounds it. */
export const MATERIAL: { form: string; pattern: RegExp }[] = [
  {
    form: 'private-key',
    pattern: /-----BEGIN (?:RSA |OPENSSH |EC |DSA |ENCRYPTED |PGP )?PRIVATE KEY(?: BLOCK)?-----/g,
  },
  { form: 'github-token', pattern: /\bgh[pousr]_[A-Za-z0-9]{30,}\b/g },
  { form: 'github-token', pattern: /\bgithub_pat_[A-Za-z0-9_]{30,}\b/g },
  { form: 'api-key', pattern: /\bsk-[A-Za-z0-9]{30,}\b/g },
];
