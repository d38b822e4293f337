import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { redact, secretMaterial } from '../../src/redact/redact.ts';
import { corpus, NO_CORPUS } from '../corpora.ts';

// Shapes are put together here so that no scanner takes this file for a leak.
const join2 = (head: string, body: string) => head + body;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letters = (n: number) => LETTERS.repeat(3).slice(0, n);

const PAIRS: [string, string, string][] = [
  ['bearer header', 'Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
  ['bearer anywhere', 'sent bearer  s3cr3t.x to', 'sent bearer  [redacted] to'],
  ['basic header', 'Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [redacted]'],
  ['bare header', 'authorization: s3cr3t', 'authorization: [redacted]'],
  ['header in a command', "curl -H 'Authorization: Bearer abc' x", "curl -H 'Authorization: Bearer [redacted]' x"],
  ['assignment', 'password=hunter2, next', 'password=[redacted], next'],
  ['colon', 'API_KEY: xyz;', 'API_KEY: [redacted];'],
  ['environment', 'MY_SECRET=a:b/c== cmd', 'MY_SECRET=[redacted] cmd'],
  ['quoted', `password = "two words" rest`, `password = "[redacted]" rest`],
  ['single quotes', `token='a b' rest`, `token='[redacted]' rest`],
  ['JSON', '{"password":"hunter2","n":1}', '{"password":"[redacted]","n":1}'],
  [
    'JSON inside JSON',
    String.raw`{"Output":"{\"token\":\"abc\"}\n"}`,
    String.raw`{"Output":"{\"token\":\"[redacted]\"}\n"}`,
  ],
  ['line end inside JSON', String.raw`{"Output":"token=abc\n"}`, String.raw`{"Output":"token=[redacted]\n"}`],
  ['inside XML', '<failure>token=abc</failure>', '<failure>token=[redacted]</failure>'],
  ['comparison', "assert token == 'abc'", "assert token == '[redacted]'"],
  ['npmrc', '//registry.example/:_authToken=abc-def', '//registry.example/:_authToken=[redacted]'],
  ['npmrc basic', '_auth=YWJj', '_auth=[redacted]'],
  ['AWS secret', 'aws_secret_access_key = wJalr/K7+bPx', 'aws_secret_access_key = [redacted]'],
  ['flag', 'deploy --api-key abc --force', 'deploy --api-key [redacted] --force'],
  ['flag of another word', 'x --db-password "a b" y', 'x --db-password "[redacted]" y'],
  ['flag without a value', 'x --password --force', 'x --password --force'],
  ['curl user', 'curl -u me:pass https://a.example', 'curl -u me:[redacted] https://a.example'],
  ['cookie', 'Set-Cookie: sid=abc; Path=/', 'Set-Cookie: sid=[redacted]; Path=/'],
  ['URL password', 'postgres://me:p4ss@db.example/x', 'postgres://me:[redacted]@db.example/x'],
  ['URL token', join2('https://', `${letters(24)}@git.example/r`), 'https://[redacted]@git.example/r'],
  ['GitHub', join2('ghp_', 'ABCDEFGHIJKLMNOPQRSTUVWX'), '[redacted]'],
  ['GitHub in a word', `x=${join2('ghs_', letters(30))}.`, 'x=[redacted].'],
  ['GitHub, fine-grained', join2('github_pat_', `${letters(11)}_${letters(30)}`), '[redacted]'],
  ['sk', join2('sk-', letters(24)), '[redacted]'],
  ['sk with a kind', join2('sk-ant-', `api03-${letters(24)}-x`), '[redacted]'],
  ['Stripe', join2('sk_live_', letters(24)), '[redacted]'],
  ['AWS id', join2('AKIA', 'ABCDEFGHIJKLMNOP'), '[redacted]'],
  ['Slack', join2('xoxb-', '123456789012-abcdef'), '[redacted]'],
  ['npm', join2('npm_', letters(36)), '[redacted]'],
  ['GitLab', join2('glpat-', letters(20)), '[redacted]'],
  ['Google', join2('AIza', letters(35)), '[redacted]'],
  ['JWT', `${join2('eyJ', letters(20))}.${join2('eyJ', letters(20))}.${letters(20)}`, '[redacted]'],
  ['not a token: part of a word', `task-${letters(24)}`, `task-${letters(24)}`],
  ['not a token: too short', join2('ghp_', letters(19)), join2('ghp_', letters(19))],
  ['not a value: the next line', 'wrong password:\n    at Test.run', 'wrong password:\n    at Test.run'],
  ['not a value: a test identity', 'auth::token::expired ... ok', 'auth::token::expired ... ok'],
  ['not a value: a pytest identity', 't.py::TestToken::test_x PASSED', 't.py::TestToken::test_x PASSED'],
  ['not a value: a result', 'test_token: FAILED', 'test_token: FAILED'],
  ['not a value: a count', 'token: 3 passed, 1 failed', 'token: 3 passed, 1 failed'],
  ['not a value: prose', '✖ rejects a bearer token', '✖ rejects a bearer token'],
  ['not a key', 'tokens 12, passwords 3', 'tokens 12, passwords 3'],
];

describe('redact', () => {
  for (const [name, from, to] of PAIRS) it(name, () => assert.equal(redact(from), to));

  it('takes the body of a key block, line for line', () => {
    const begin = join2('-----BEGIN RSA ', 'PRIVATE KEY-----');
    const end = join2('-----END RSA ', 'PRIVATE KEY-----');
    const from = ['a', begin, letters(64), `${letters(10)}==`, end, 'Tests: 1 failed'].join('\n');
    assert.equal(redact(from), ['a', begin, '[redacted]', '[redacted]', end, 'Tests: 1 failed'].join('\n'));
  });

  it('takes an indented and a one-line key block', () => {
    const begin = join2('-----BEGIN ', 'PRIVATE KEY-----');
    const end = join2('-----END ', 'PRIVATE KEY-----');
    assert.equal(redact(`  + ${begin}\n  + ${letters(40)}\n  + ${end}`), `  + ${begin}\n  + [redacted]\n  + ${end}`);
    assert.equal(redact(`k = "${begin}\\n${letters(40)}\\n${end}"`), `k = "${begin}[redacted]${end}"`);
  });

  it('stops an unclosed key block at the first line that is no key', () => {
    const begin = join2('-----BEGIN ', 'PRIVATE KEY-----');
    assert.equal(redact(`${begin}\n${letters(64)}\nFAIL\n1 failed`), `${begin}\n[redacted]\nFAIL\n1 failed`);
  });

  it('keeps every character outside the secret, wide ones too', () => {
    assert.equal(redact('🔑 password=🦊é漢, 🦊'), '🔑 password=[redacted], 🦊');
  });
});

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PAIRS.map(p => p[1])) },
  fc.constantFrom(
    'password=',
    'token: ',
    'bearer ',
    '"',
    "'",
    '\\',
    '[redacted]',
    '://',
    '@',
    ':',
    '=',
    '::',
    '--token ',
    '\n',
  ),
  fc.constantFrom(join2('-----BEGIN ', 'PRIVATE KEY-----'), join2('-----END ', 'PRIVATE KEY-----'), letters(40)),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const outputs = fc
  .array(fc.tuple(piece, fc.constantFrom('', ' ', '\n', '\r\n', ', ')), { maxLength: 14 })
  .map(p => p.flat().join(''));

describe('redact, on any text', () => {
  it('gives the same on its own result', () => {
    fc.assert(
      fc.property(outputs, text => {
        const once = redact(text);
        assert.equal(redact(once), once);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps line ends and whole characters', () => {
    fc.assert(
      fc.property(outputs, text => {
        const out = redact(text);
        assert.equal(out.split('\n').length, text.split('\n').length);
        assert.equal(out.split('\r\n').length, text.split('\r\n').length);
        assert.ok(!/\p{Surrogate}/u.test(out));
      }),
      { numRuns: 1000 },
    );
  });

  it('never lets a keyed value through', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9!#$%&*+./:?@^_~|{}()[\]-]{6,40}$/).map(v => `S3c${v}`);
    const key = fc.constantFrom(
      'password=',
      'API-KEY: ',
      'db_token = ',
      '"secret": "',
      '--password ',
      'Bearer ',
      "token='",
    );
    fc.assert(
      fc.property(key, value, (k, v) => {
        assert.ok(!redact(`before ${k}${v} after`).includes(v));
        assert.ok(redact(`before ${k}${v} after`).startsWith('before '));
      }),
      { numRuns: 1000 },
    );
  });

  it('stays linear on hostile repeats', () => {
    const seeds = [
      'bearer ',
      'token',
      'token="',
      '://',
      'eyJ',
      'sk-ant-',
      '--a-b-',
      'authorization: ',
      'password=\\',
      ' -u a',
    ];
    seeds.push(join2('-----BEGIN ', 'PRIVATE KEY-----\n'), 'SG.', 'pypi-', 'a', ' ');
    const cpu = (n: number) => {
      const start = process.cpuUsage();
      for (const s of seeds) redact(s.repeat(n));
      const used = process.cpuUsage(start);
      return used.user + used.system;
    };
    cpu(2_000);
    // Sixteen times the text: linear costs about 16 times as much, quadratic 256 times.
    assert.ok(cpu(64_000) < 90 * Math.max(cpu(4_000), 1_000));
  });
});

type Cases = {
  redaction: { in: string; out: string }[];
  secret_finding: { content: string; finding: boolean }[];
};

describe('redaction corpus', () => {
  const dir = corpus('agent-workflow-parsers');
  const cases: Cases | null = dir ? JSON.parse(readFileSync(join(dir, 'redaction.json'), 'utf8')) : null;
  it('text', { skip: cases ? false : NO_CORPUS }, () => {
    assert.ok(cases!.redaction.length >= 4);
    for (const c of cases!.redaction) assert.equal(redact(c.in), c.out);
  });
  it('findings', { skip: cases ? false : NO_CORPUS }, () => {
    assert.ok(cases!.secret_finding.length >= 6);
    for (const c of cases!.secret_finding) assert.equal(secretMaterial(c.content).length > 0, c.finding, c.content);
  });
});

describe('recorded runner outputs', () => {
  const dir = corpus('runner-outputs');
  it('keep every line that carries a count', { skip: dir ? false : NO_CORPUS }, () => {
    let lines = 0;
    for (const e of readdirSync(dir!, { recursive: true, withFileTypes: true })) {
      if (!e.isFile()) continue;
      const path = join(e.parentPath, e.name);
      const text = readFileSync(path, 'utf8');
      const before = text.split('\n');
      const after = redact(text).split('\n');
      assert.equal(after.length, before.length, path);
      for (const [i, line] of before.entries()) {
        if (
          !/\d+ (?:passed|failed|passing|failing|tests?|errors?|skipped|examples?)|^(?:ok|not ok|FAIL|PASS|---|#)/.test(
            line,
          )
        )
          continue;
        lines++;
        assert.equal(after[i], line, path);
      }
    }
    assert.ok(lines > 500, `${lines} lines looked at`);
  });
});

describe('secretMaterial', () => {
  it('says where, from 1, and nothing of the secret', () => {
    const token = join2('ghp_', letters(36));
    assert.deepEqual(secretMaterial(`a\nb ${token}\n`), [
      { rule: 'secret-material', form: 'github-token', line: 2, column: 3 },
    ]);
  });
  it('leaves plain assignments alone', () => assert.deepEqual(secretMaterial('password=hunter2'), []));
});
