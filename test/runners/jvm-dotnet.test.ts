import { test } from 'node:test';
import { dotnet } from '../../src/runners/dotnet.ts';
import { gradle } from '../../src/runners/gradle.ts';
import { maven } from '../../src/runners/maven.ts';
import { expectReport, text } from './expect.ts';

const rule = '[INFO] ------------------------------------------------------------------------';

test('Maven: failures, errors, hooks and what a test prints', () => {
  expectReport(
    maven,
    text(
      '[INFO] Scanning for projects...',
      '[INFO] --- maven-surefire-plugin:3.2.5:test (default-test) @ calc ---',
      '[INFO] -------------------------------------------------------',
      '[INFO]  T E S T S',
      '[INFO] -------------------------------------------------------',
      '[INFO] Running com.acme.CalcTest',
      'Tests run: 12, Failures: 0, Errors: 0, Skipped: 0',
      '[ERROR] Tests run: 4, Failures: 2, Errors: 1, Skipped: 0, Time elapsed: 1.8 s <<< FAILURE! -- in com.acme.CalcTest',
      '[ERROR] com.acme.CalcTest.subs -- Time elapsed: 0.2 s <<< FAILURE!',
      'org.opentest4j.AssertionFailedError: expected: <1> but was: <2>',
      '\tat org.junit.jupiter.api.Assertions.assertEquals(Assertions.java:563)',
      '\tat com.acme.CalcTest.subs(CalcTest.java:6)',
      '',
      '[ERROR] com.acme.CalcTest.ready -- Time elapsed: 0.2 s <<< FAILURE!',
      'org.opentest4j.AssertionFailedError: the database is up',
      '\tat com.acme.CalcTest.connect(CalcTest.java:3)',
      '',
      '[ERROR] com.acme.CalcTest.divides -- Time elapsed: 0.01 s <<< ERROR!',
      'java.lang.ArithmeticException: / by zero',
      '\tat com.acme.CalcTest.divides(CalcTest.java:9)',
      '',
      '[INFO] ',
      '[INFO] Results:',
      '[INFO] ',
      '[ERROR] Tests run: 4, Failures: 2, Errors: 1, Skipped: 0',
      '[INFO] ',
      rule,
      '[INFO] BUILD FAILURE',
      rule,
      '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project calc: There are test failures.',
    ),
    {
      counts: '1/1/2/0/0',
      failed: ['com.acme.CalcTest.subs'],
      errored: ['com.acme.CalcTest.ready', 'com.acme.CalcTest.divides'],
      assertions: ['com.acme.CalcTest.subs'],
      setup: ['hook', 'thrown'],
    },
  );
});

test('Maven: several modules are summed; a fork that dies is a crash; the old name form', () => {
  const module = (name: string, total: string): string[] => [
    `[INFO] --- surefire:3.2.5:test (default-test) @ ${name} ---`,
    '[INFO]  T E S T S',
    '[INFO] Results:',
    `[INFO] ${total}`,
  ];
  expectReport(
    maven,
    text(
      ...module('a', 'Tests run: 2, Failures: 0, Errors: 0, Skipped: 1'),
      ...module('b', 'Tests run: 3, Failures: 0, Errors: 0, Skipped: 0'),
      '[INFO] BUILD SUCCESS',
    ),
    { counts: '4/0/0/1/0' },
  );
  expectReport(
    maven,
    text(
      '[INFO]  T E S T S',
      '[INFO] Running com.acme.CalcTest',
      '[INFO] BUILD FAILURE',
      '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test on project calc: The forked VM terminated without properly saying goodbye. VM crash or System.exit called?',
    ),
    { counts: '0/0/0/0/0', setup: ['other'], complete: false, crashed: true },
  );
  expectReport(
    maven,
    text(
      ' T E S T S',
      'subs(com.acme.CalcTest)  Time elapsed: 0.01 sec  <<< FAILURE!',
      'java.lang.AssertionError: expected:<1> but was:<2>',
      '\tat com.acme.CalcTest.subs(CalcTest.java:6)',
      '',
      'Results :',
      'Tests run: 1, Failures: 1, Errors: 0, Skipped: 0',
    ),
    { counts: '0/1/0/0/0', failed: ['com.acme.CalcTest.subs'], assertions: ['com.acme.CalcTest.subs'] },
  );
});

test('Gradle: counts come with failures or test logging, else they are unknown', () => {
  expectReport(
    gradle,
    text(
      '> Task :test FAILED',
      '',
      'com.acme.CalcTest > subs() FAILED',
      '    org.opentest4j.AssertionFailedError: expected: <1> but was: <2>',
      '        at com.acme.CalcTest.subs(CalcTest.java:6)',
      '',
      'com.acme.CalcTest > divides() FAILED',
      '    java.lang.ArithmeticException: / by zero',
      '',
      '4 tests completed, 2 failed, 1 skipped',
      '',
      'FAILURE: Build failed with an exception.',
      '> There were failing tests. See the report at: file:///p/build/reports/tests/test/index.html',
      '',
      'BUILD FAILED in 3s',
    ),
    {
      counts: '1/2/0/1/0',
      failed: ['com.acme.CalcTest.subs', 'com.acme.CalcTest.divides'],
      assertions: ['com.acme.CalcTest.subs'],
      setup: ['thrown'],
    },
  );
  expectReport(gradle, text('> Task :test', '', 'BUILD SUCCESSFUL in 2s', '3 actionable tasks: 3 executed'), {
    counts: '0/0/0/0/0',
    counted: false,
  });
  expectReport(gradle, text('> Task :test NO-SOURCE', '', 'BUILD SUCCESSFUL in 2s'), { counts: '0/0/0/0/0' });
  expectReport(
    gradle,
    text(
      '> Task :compileTestJava FAILED',
      '/p/src/test/java/CalcTest.java:5: error: cannot find symbol',
      '',
      'FAILURE: Build failed with an exception.',
      'BUILD FAILED in 1s',
    ),
    { counts: '0/0/1/0/0', errored: [':compileTestJava'], setup: ['compile'] },
  );
});

test('dotnet: classic VSTest lines', () => {
  expectReport(
    dotnet,
    text(
      'Test run for /p/Calc.Tests.dll (.NETCoreApp,Version=v8.0)',
      'Starting test execution, please wait...',
      '  Passed Calc.Tests.MathTests.Adds [1 ms]',
      '  Failed Calc.Tests.MathTests.Subs [5 ms]',
      '  Error Message:',
      '   Assert.Equal() Failure: Values differ',
      'Expected: 1',
      'Actual:   2',
      '  Stack Trace:',
      '     at Calc.Tests.MathTests.Subs() in /p/MathTests.cs:line 14',
      '  Failed Calc.Tests.MathTests.Expected_Throws [5 ms]',
      '  Error Message:',
      '   System.InvalidOperationException : Assert.Equal() Failure',
      '',
      'Failed!  - Failed:     2, Passed:     1, Skipped:     1, Total:     4, Duration: 5 ms - Calc.Tests.dll (net8.0)',
    ),
    {
      counts: '1/2/0/1/0',
      failed: ['Calc.Tests.MathTests.Subs', 'Calc.Tests.MathTests.Expected_Throws'],
      passed: ['Calc.Tests.MathTests.Adds'],
      assertions: ['Calc.Tests.MathTests.Subs'],
      setup: ['thrown'],
    },
  );
});

test('dotnet: a host that crashes, a filter without a match, code that does not compile', () => {
  expectReport(
    dotnet,
    text(
      'Test run for /p/Calc.Tests.dll (.NETCoreApp,Version=v8.0)',
      'The active test run was aborted. Reason: Test host process crashed : Stack overflow.',
    ),
    { counts: '0/0/0/0/0', complete: false, crashed: true },
  );
  expectReport(
    dotnet,
    text(
      'Test run for /p/Calc.Tests.dll (.NETCoreApp,Version=v8.0)',
      'No test matches the given testcase filter `Name=x` in /p/Calc.Tests.dll',
    ),
    { counts: '0/0/0/0/0' },
  );
  const error = "/p/Calc.Tests/MathTests.cs(9,13): error CS0103: The name 'Sub' does not exist [/p/Calc.Tests.csproj]";
  expectReport(dotnet, text('  Determining projects to restore...', error, '', 'Build FAILED.', '', error), {
    counts: '0/0/1/0/0',
    errored: ['MathTests.cs'],
    setup: ['compile'],
    complete: false,
  });
});

test('dotnet: Microsoft.Testing.Platform and the terminal logger', () => {
  expectReport(
    dotnet,
    text(
      'failed Subs (5ms)',
      '  Assert.AreEqual failed. Expected:<1>. Actual:<2>.',
      '    at Calc.Tests.MathTests.Subs() in /p/MathTests.cs:14',
      'skipped Later (0ms)',
      '',
      'Test run summary: Failed! - /p/bin/Debug/net9.0/Calc.Tests.dll (net9.0|x64)',
      '  total: 4',
      '  failed: 1',
      '  succeeded: 2',
      '  skipped: 1',
      '  duration: 1s 120ms',
    ),
    { counts: '2/1/0/1/0', failed: ['Subs'], assertions: ['Subs'] },
  );
  expectReport(
    dotnet,
    text('Test run summary: Zero tests ran', '  total: 0', '  failed: 0', '  succeeded: 0', '  skipped: 0'),
    { counts: '0/0/0/0/0' },
  );
  expectReport(
    dotnet,
    text(
      'Restore complete (0.3s)',
      'Test summary: total: 3, failed: 0, succeeded: 3, skipped: 0, duration: 1.2s',
      'Build succeeded in 3.3s',
    ),
    { counts: '3/0/0/0/0' },
  );
});
