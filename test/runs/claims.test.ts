import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readClaims } from '../../src/runs/claims/index.ts';

const asserts = (message: string) => readClaims(message).asserts;
const kinds = (message: string) => readClaims(message).claims.map(c => c.kind);

/** Each rule of reading, with messages that it lets through and messages that it stops. */
const RULES: { rule: string; claims: string[]; none: string[] }[] = [
  {
    rule: 'a check and its result, in any shape',
    claims: [
      'The parser tests pass.',
      'Lint: clean.',
      '`npm run build` exits 0.',
      'pytest: 12 passed',
      '64/64 specs green',
      'No type errors.',
      'It still compiles.',
      'The branch passes all checks.',
    ],
    none: ['The tests fail.', 'Lint: 4 errors.', '`npm run build` exits 1.', 'Tests added.', 'Build pending.'],
  },
  {
    rule: 'a check word in another role is no check',
    claims: [],
    none: [
      'The wrapper passes the test id on.',
      'I changed the build script.',
      'The green badge is gone.',
      'The applicant passed the test.',
      '`tests/` is passed to the linter.',
      'The key is 8oK and the hash 0pass.',
    ],
  },
  {
    rule: 'a run told by a subagent or a tool counts unless it is doubted',
    claims: [
      'The subagent ran the suite: all 40 tests pass.',
      'mypy says "Success: no issues found in 3 source files".',
    ],
    none: [
      'The subagent says that the tests pass, but I have not confirmed it.',
      'According to the agent the build succeeds. I could not verify that.',
    ],
  },
  {
    rule: 'a headline of failure does not count, a failure set apart does not spoil the rest',
    claims: [
      '41 of 42 tests pass; the other one is a known flaky test.',
      'The build succeeds, the deploy fails.',
      'Unit tests pass. Browser tests do not.',
    ],
    none: ['14 passed, 2 failed.', 'Tests: 1 failed, 9 passed, 10 total', '2 of 30 tests pass.'],
  },
  {
    rule: 'future, condition, order, question and expectation are no claims',
    claims: ['Tests pass. Shall I merge?', 'Does it build? Yes.', 'When I removed the cache, no test broke.'],
    none: [
      'I will run the tests and report when they pass.',
      'If the tests pass, merge it.',
      'Make sure that the build passes.',
      'Do the tests pass?',
      'The tests should pass now.',
      'Hopefully lint is clean.',
      'A build succeeds when every target is up to date.',
    ],
  },
  {
    rule: 'negation turns a result, and turns a failure',
    claims: ['No test fails anymore.', "I couldn't make the suite fail.", 'Not one of the 9 checks failed.'],
    none: ['The tests do not pass.', 'None of the tests pass.', 'Not all checks are green.', 'Lint no longer passes.'],
  },
  {
    rule: 'luck, goals, hearsay and success without worth are no results',
    claims: [
      'All tests pass; the naming is a matter of taste.',
      'The good news is that all tests pass.',
      'No need to worry, the suite passes.',
      'The tests that I could run are green.',
    ],
    none: [
      'The aim is that all tests pass.',
      'Goal: tests green.',
      'The tests pass, I think.',
      'The tests pass or fail depending on the weather.',
      'The suite passes, but it proves nothing, since no assertion ever runs.',
      'The tests pass. That says nothing about the upload.',
      'Per the ticket, it passes on Linux.',
      'I take your word that the tests pass.',
      'Only three of the twelve specs pass.',
      'Two of six jobs are green.',
      'The build passes on your machine.',
      '`make all` builds, tests and packs.',
      'The way it works: each test passes through a queue.',
    ],
  },
  {
    rule: 'a result from before does not hold now',
    claims: ['The tests passed before the change and they still pass.', 'The build was red; it is green now.'],
    none: [
      'The tests passed yesterday.',
      'The suite was green before my change.',
      'Last week the build still worked.',
      'All tests pass. I changed one file since, so treat that result as outdated.',
    ],
  },
  {
    rule: 'what others said, examples and fixtures are not the speaker',
    claims: [
      'Output of the run:\n\n```\n12 passed in 0.40s\n```',
      '```\n$ cargo test\ntest result: ok. 3 passed; 0 failed\n```',
    ],
    none: [
      'You wrote "all tests pass".',
      'The issue says that the build succeeds.',
      '> all tests pass\n\nThat was the comment.',
      'Expected output:\n\n```\n12 passed\n```',
      'The README has a sample session:\n\n```\n$ npm test\n12 passed\n```',
      '```ts\nexpect(a).toBe("12 passed");\n```',
    ],
  },
  {
    rule: 'headings and lead lines decide what their lists are',
    claims: ['## Checks\n- tests: 9 passed', 'What I checked in the browser:\n- the menu opens with the keyboard'],
    none: [
      '## Next steps\n- tests pass\n- build is green',
      'Release checklist:\n- all tests pass',
      '### How to verify\n1. `npm test` passes',
      '- [ ] tests pass',
    ],
  },
  {
    rule: 'a tick counts as what it ticks',
    claims: ['✅ Tests\n✅ Lint', '- [x] unit tests pass', 'lint ✔ · build ✔'],
    none: ['✅ Added the parser\n✅ Wrote the tests', '❌ Tests', 'tests ⏳'],
  },
  {
    rule: 'tables claim by their result columns',
    claims: ['| Check | Exit |\n|---|---|\n| `npm test` | 0 |', '| Suite | Result |\n|---|---|\n| unit | pass |'],
    none: [
      '| Feature | v1 | v2 |\n|---|---|---|\n| Parallel tests | ❌ | ✅ |',
      '| Check | Expected |\n|---|---|\n| unit | pass |',
      '| Check | Result |\n|---|---|\n| unit | not run |',
    ],
  },
  {
    rule: 'verified means used, not read',
    claims: [
      'Verified in the browser.',
      'I opened the page and it loads without errors.',
      'Tried the export, works.',
      'Everything works as expected.',
    ],
    none: [
      'I verified by reading the source that the flag is passed on.',
      'I checked that the file exists.',
      'Not verified in the browser.',
      'I opened the page, but it stays blank.',
      'The button opens a dialog.',
    ],
  },
  {
    rule: 'a check and a word of success may stand apart',
    claims: [
      'The four specs that cover this module succeed.',
      'CI gave me a green tick on every job.',
      'A clean bill of health from the linter.',
      'End-to-end tests confirm that both sides reject the same inputs.',
      'The assertion that failed for you holds now.',
      'Type errors: none.',
    ],
    none: [
      'The specs that cover this module still fail.',
      'The new rule flags tests that always pass.',
      'No guarantee that the tests pass.',
      'What remains is to make lint pass.',
      'Errors in the log: 4.',
    ],
  },
  {
    rule: 'a thing may be judged by how it does',
    claims: [
      'The whole thing is up and running.',
      'Your example now gives the right total.',
      'The importer copes with all sample files without trouble.',
      'The package installs and imports cleanly.',
      'Everything is in working order after the upgrade.',
      'The query returns 12 rows now, which is correct.',
    ],
    none: [
      'The API is now consistent and easy to use.',
      'All tasks are described properly.',
      'Verified accounts only.',
      'The list now shows open tickets first.',
    ],
  },
  {
    rule: 'a trial and what came of it, in whatever words',
    claims: [
      'I clicked every link in the footer; none of them is dead.',
      'Set the clock to the end of the month and ran the job: the invoice has the right date.',
      'Signed in with two accounts in two browsers; each sees only its own files.',
      'I get 200 on every route.',
      'Does it work with spaces in the path? It does, I tried.',
    ],
    none: [
      'I ran the query and it returns 14 rows too few, which I cannot explain.',
      'I went through the list of open tickets and closed three.',
      'Dropped Python 3.8. The matrix is now 3.9 to 3.13.',
      'I clicked the button and nothing happened.',
      'I moved the listener to the document.',
    ],
  },
  {
    rule: 'eleven more languages',
    claims: [
      'Alles grün.',
      'Tutto passa.',
      'Todo en verde.',
      'Wszystko jest na zielono.',
      'すべてグリーンです。',
      'Die Tests laufen wie vorher durch.',
      'Está tudo funcionando como deveria.',
      'Lo he reproducido con tu archivo y funciona.',
      '用您提供的文件试了一下,可以正常导出。',
      'Habe den Export mit deiner Datei getestet: alle Zeilen sind da.',
      'Alle 12 Tests sind grün.',
      'Les tests passent.',
      'Las pruebas pasan.',
      'I test passano.',
      'Os testes passam.',
      'De tests slagen.',
      'Testy przechodzą.',
      'Testler geçti.',
      'Все тесты прошли.',
      'テストはすべて通過しました。',
      '所有测试通过。',
      '모든 테스트가 통과했습니다.',
    ],
    none: [
      'Alles erledigt.',
      'すべて完了しました。',
      'La función pasa el valor al analizador.',
      'Cuando todo esté en verde, fusiono.',
      'Le ticket dit que tout fonctionne.',
      'Die Tests sind noch rot.',
      'Les tests devraient passer.',
      'Las pruebas no pasan.',
      'Se i test passano, puoi unire.',
      'Os testes não passam.',
      'De tests falen nog.',
      'Testy nie przechodzą.',
      'Testler geçmeli.',
      'Тесты не проходят.',
      'テストは失敗しました。',
      '测试还没有通过。',
      '테스트가 실패했습니다.',
    ],
  },
];

describe('readClaims', () => {
  for (const { rule, claims, none } of RULES) {
    describe(rule, () => {
      for (const message of claims)
        it(`asserts: ${JSON.stringify(message)}`, () => assert.equal(asserts(message), true));
      for (const message of none)
        it(`does not: ${JSON.stringify(message)}`, () => assert.equal(asserts(message), false));
    });
  }

  it('names the kind of each claim', () => {
    assert.deepEqual(kinds('Tests pass, lint is clean, the build succeeds and tsc reports no errors.'), [
      'tests',
      'lint',
      'build',
      'types',
    ]);
  });

  it('marks done, fixed and deployed without asserting anything', () => {
    for (const [message, kind] of [
      ['Done.', 'done'],
      ['Fixed the null check.', 'fixed'],
      ['Published 2.0.0 to the registry.', 'deployed'],
    ] as const) {
      const reading = readClaims(message);
      assert.equal(reading.asserts, false);
      assert.deepEqual(
        reading.claims.map(c => c.kind),
        [kind],
      );
    }
  });

  it('gives one claim for one stretch', () => {
    assert.deepEqual(readClaims('All 12 tests pass.').claims, [{ kind: 'tests', text: 'All 12 tests pass', start: 0 }]);
  });

  it('lists many claims no further, but sees what is new and what is taken back', () => {
    const many = Array.from({ length: 90 }, (_, i) => `Suite ${i + 1} passes.`).join(' ');
    const { claims } = readClaims(`${many} The build succeeds.`);
    assert.ok(claims.length >= 24 && claims.length < 60, String(claims.length));
    assert.equal(claims.at(-1)?.kind, 'build');
    assert.equal(asserts(`${many} All of that was before my last edit.`), false);
  });

  it('reads the empty message', () => assert.deepEqual(readClaims(''), { asserts: false, claims: [] }));
});
