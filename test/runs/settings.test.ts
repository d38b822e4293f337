import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAgentOutput } from '../../src/runs/agent-output.ts';
import { claimsOf, parseReport } from '../../src/runs/report.ts';
import { readRunSettings } from '../../src/runs/settings.ts';

describe('project.json on runs', () => {
  it('has defaults', () => {
    const s = readRunSettings({});
    assert.deepEqual([s.maximumPatchBytes, s.verification, s.tasks, s.faults], [10_485_760, [], null, []]);
  });

  it('takes commands as argv only, required unless said otherwise', () => {
    const s = readRunSettings({
      verification: [
        { name: 'unit', argv: ['npm', 'test'] },
        { name: 'lint', argv: ['npm', 'run', 'lint'], required: false, timeoutMs: 5000 },
      ],
    });
    assert.deepEqual(s.faults, []);
    assert.deepEqual(s.verification, [
      { name: 'unit', argv: ['npm', 'test'], required: true, timeoutMs: 600_000 },
      { name: 'lint', argv: ['npm', 'run', 'lint'], required: false, timeoutMs: 5000 },
    ]);
  });

  const wrong: [unknown, RegExp][] = [
    [{ verification: 'npm test' }, /is not a list/],
    [{ verification: [{ name: 'a', argv: 'npm test' }] }, /looks like a shell command string: "npm test"/],
    [{ verification: [{ name: 'a', argv: ['npm test && true'] }] }, /looks like a shell command string/],
    [{ verification: [{ name: 'a', argv: [] }] }, /has no argv/],
    [{ verification: [{ name: '../a', argv: ['x'] }] }, /no usable name/],
    [
      {
        verification: [
          { name: 'a', argv: ['x'] },
          { name: 'a', argv: ['y'] },
        ],
      },
      /a second time/,
    ],
    [{ verification: [{ name: 'a', argv: ['x'], timeoutMs: 10 }] }, /timeoutMs/],
    [{ verification: [{ name: 'a', argv: ['x'], required: 'yes' }] }, /required/],
    [{ tasks: '../../tasks.md' }, /inside the project/],
    [{ tasks: '/etc/passwd' }, /inside the project/],
    [{ execution: { maximumPatchBytes: -1 } }, /not a number/],
    [{ execution: { protectedPaths: 'src' } }, /not a list of paths/],
    [{ execution: { protectedPaths: ['src/', '../up'] } }, /not a path inside/],
    [{ execution: { protectedPaths: [7] } }, /not a path inside/],
    [{ execution: [] }, /not an object/],
    [{ execution: { timeoutMs: '60000' } }, /not a number from 1000/],
    [{ execution: { maximumOutputBytes: 3 } }, /not a number/],
    [{ execution: { protectedPath: ['a'] } }, /no key that is read/],
    [{ verification: ['npm test'] }, /not an object/],
    [{ verification: [{ name: 'a', argv: ['x'], optional: true }] }, /no key that is read/],
    [{ tasks: { file: '..' } }, /inside the project/],
  ];
  for (const [raw, message] of wrong) {
    it(`refuses ${JSON.stringify(raw).slice(0, 60)}`, () => {
      const { faults } = readRunSettings(raw as Record<string, unknown>);
      assert.equal(faults.length, 1);
      assert.match(faults[0]!.message, message);
      assert.notEqual(faults[0]!.path, '');
      assert.ok(faults[0]!.cure);
    });
  }

  it('names the place of each fault, and keeps what is sound', () => {
    const s = readRunSettings({
      execution: { protectedPaths: ['a/', 9, 'b/**'], timeoutMs: -1, protectPaths: [] },
      verification: [{ name: 'unit', argv: ['x'] }, 3, { name: 'lint', argv: 'npm run lint' }],
      tasks: { file: '/tmp/tasks.md' },
    });
    assert.deepEqual(s.faults.map(f => f.path).sort(), [
      'execution.protectPaths',
      'execution.protectedPaths[1]',
      'execution.timeoutMs',
      'tasks.file',
      'verification[1]',
      'verification[2]',
    ]);
    assert.deepEqual(s.protectedPaths, ['a/', 'b/']);
    assert.deepEqual(
      s.verification.map(c => c.name),
      ['unit'],
    );
    assert.deepEqual(
      s.faults.filter(f => f.warning).map(f => f.path),
      ['execution.protectPaths'],
    );
  });
});

describe('the structured report', () => {
  it('is checked by its shape', () => {
    assert.equal(parseReport('not json').kind, 'invalid');
    assert.equal(parseReport('[]').kind, 'invalid');
    assert.equal(parseReport('{"changedFiles":"a"}').kind, 'invalid');
    assert.equal(parseReport('{"changedFiles":[1]}').kind, 'invalid');
    assert.equal(parseReport('{"testsReported":[{"name":"x"}]}').kind, 'invalid');
    const read = parseReport(
      '{"outcome":"completed","changedFiles":["a"],"testsReported":[{"name":"t","status":"passed"}]}',
    );
    assert.equal(read.kind, 'report');
  });

  it('of ten megabytes is kept up to a size, and says so', () => {
    const files = Array.from({ length: 100_000 }, (_, i) => `${'x'.repeat(90)}/${i}.ts`);
    const read = parseReport(JSON.stringify({ changedFiles: files, summary: 'y'.repeat(1_000_000) }));
    assert.equal(read.kind, 'report');
    if (read.kind !== 'report') return;
    const claims = claimsOf(read.report, { files: [], commands: [] }, []);
    assert.equal(claims.truncated, true);
    assert.equal(claims.changedFiles.length, 1000);
    assert.ok(JSON.stringify(claims).length < 400_000);
    assert.deepEqual(claims.changedFiles.slice(0, 2), files.slice(0, 2));
  });
});

describe("a headless agent's output", () => {
  it('is its text, or the result of its JSON', () => {
    assert.deepEqual(readAgentOutput('Done.\n', ['agent']).message, 'Done.\n');
    const one = JSON.stringify({ type: 'result', result: 'All good', session_id: 's-1', is_error: false });
    assert.deepEqual(readAgentOutput(one, ['agent', '--output-format', 'json']), {
      message: 'All good',
      sessionId: 's-1',
      permissionDenied: false,
      malformed: false,
    });
    const stream = [
      { type: 'system' },
      { type: 'assistant', text: 'x' },
      { type: 'result', result: 'End' },
      { type: 'log' },
    ];
    assert.equal(readAgentOutput(stream.map(o => JSON.stringify(o)).join('\n'), ['a']).message, 'End');
  });

  it('is malformed where JSON was asked for', () => {
    assert.equal(readAgentOutput('oops', ['a', '--output-format', 'json']).malformed, true);
    assert.equal(readAgentOutput('oops', ['a', '--output-format', 'text']).malformed, false);
    assert.equal(readAgentOutput('', ['a', '--output-format=stream-json']).malformed, true);
  });

  it('tells a refused permission, and takes no path for a session', () => {
    const denied = JSON.stringify({ type: 'result', is_error: true, permission_denials: [{ tool_name: 'Bash' }] });
    assert.equal(readAgentOutput(denied, []).permissionDenied, true);
    assert.equal(readAgentOutput(JSON.stringify({ result: '', session_id: '../../x' }), []).sessionId, null);
  });
});
