import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planHash, readTasks, specNameOf, subtasksOf, taskFingerprint, tick } from '../../src/runs/tasks.ts';

const LIST = `# Plan

- [ ] 1. First thing
  - detail
  - _Requirements: 1.1, 2.3_
- [x] 2. Second
  - [ ] 2.1 Inner task
  - [-] 2.2 Running
- [ ]* 3. Optional
* [~] **T004** Other marker
- [ ] No number here

\`\`\`
- [ ] 9. Not a task
\`\`\`
`;

describe('the task list', () => {
  it('is read outside of fences', () => {
    assert.deepEqual(
      readTasks(LIST).map(t => [t.id, t.title, t.line, t.state, t.optional]),
      [
        ['1', 'First thing', 2, 'open', false],
        ['2', 'Second', 5, 'done', false],
        ['2.1', 'Inner task', 6, 'open', false],
        ['2.2', 'Running', 7, 'other', false],
        ['3', 'Optional', 8, 'open', true],
        ['T004', 'Other marker', 9, 'other', false],
        ['no-number-here', 'No number here', 10, 'open', false],
      ],
    );
    assert.deepEqual(readTasks(LIST)[0]!.refs, ['1.1', '2.3']);
  });

  it('knows a fence inside a list item, which ends with the item', () => {
    const nested =
      '- [ ] 1. First\n    ```\n    - [ ] 8. Example\n    ```\n  - [ ] 1.1 Inner\n      ~~~\n      - [ ] 9. Open\n- [ ] 2. Next\n';
    assert.deepEqual(
      readTasks(nested).map(t => t.id),
      ['1', '1.1', '2'],
    );
    assert.equal(planHash(nested), planHash(nested.replace('[ ] 1.1', '[x] 1.1')));
    assert.notEqual(planHash(nested), planHash(nested.replace('[ ] 8.', '[x] 8.')));
  });

  it('knows the parts of a task by their depth and by their numbers', () => {
    const parts = (text: string, id: string) => {
      const tasks = readTasks(text);
      return subtasksOf(tasks, tasks.find(t => t.id === id)!).map(t => t.id);
    };
    assert.deepEqual(parts(LIST, '1'), []);
    assert.deepEqual(parts(LIST, '2'), ['2.1', '2.2']);
    assert.deepEqual(parts(LIST, '2.2'), []);
    assert.deepEqual(parts('- [ ] 1. A\n- [ ] 1.1 B\n- [ ] 10.1 C\n', '1'), ['1.1']);
  });

  it('in another encoding keeps every byte but one', () => {
    const bytes = Buffer.concat([Buffer.from('\ufeff- [ ] 1. Caf'), Buffer.from([0xe9, 0x0a, 0xff])]);
    const [task] = readTasks(bytes);
    const edit = tick(bytes, task!);
    assert.equal(edit.kind, 'edited');
    if (edit.kind !== 'edited') return;
    assert.equal(edit.bytes.toString('latin1'), bytes.toString('latin1').replace('[ ]', '[x]'));
    const other = Buffer.from(bytes);
    other[other.length - 1] = 0xfe;
    assert.notEqual(planHash(bytes), planHash(other));
  });

  it('is edited by one character, line ends kept', () => {
    const text = LIST.replaceAll('\n', '\r\n');
    const task = readTasks(text).find(t => t.id === '2.1')!;
    const edit = tick(text, task);
    assert.equal(edit.kind, 'edited');
    if (edit.kind !== 'edited') return;
    const before = Buffer.from(text);
    assert.equal(edit.bytes.length, before.length);
    const differs = [...before].flatMap((byte, i) => (edit.bytes[i] === byte ? [] : [i]));
    assert.deepEqual(differs, [task.at]);
    assert.deepEqual([edit.before, edit.after], ['  - [ ] 2.1 Inner task', '  - [x] 2.1 Inner task']);
  });

  it('refuses a box that is ticked and a line that moved', () => {
    const done = readTasks(LIST).find(t => t.id === '2')!;
    assert.deepEqual(tick(LIST, done), { kind: 'refused', why: 'the box is ticked already' });
    const first = readTasks(LIST)[0]!;
    assert.equal(tick(`\n${LIST}`, first).kind, 'refused');
    assert.equal(tick(LIST.replace('First', 'Other'), first).kind, 'refused');
  });

  it('has one hash whatever its progress, another for every other byte', () => {
    const ticked = LIST.replace('- [ ] 1.', '- [x] 1.').replace('[-] 2.2', '[X] 2.2');
    assert.equal(planHash(ticked), planHash(LIST));
    assert.notEqual(planHash(LIST.replace('detail', 'Detail')), planHash(LIST));
    assert.notEqual(planHash(LIST.replace('- [ ] 9.', '- [x] 9.')), planHash(LIST));
    assert.notEqual(planHash(LIST.replaceAll('\n', '\r\n')), planHash(LIST));
  });

  it('tells a task by id, title and requirements', () => {
    const [first] = readTasks(LIST);
    const [same] = readTasks(LIST.replace('- [ ] 1.', '- [x] 1.'));
    const [other] = readTasks(LIST.replace('2.3', '2.4'));
    assert.equal(taskFingerprint(first!), taskFingerprint(same!));
    assert.notEqual(taskFingerprint(first!), taskFingerprint(other!));
  });

  it('names its spec', () => {
    assert.deepEqual(['specs/login/tasks.md', 'tasks.md', 'docs/plan.md', '.kiro/specs/pay/TASKS.md'].map(specNameOf), [
      'login',
      'tasks',
      'plan',
      'pay',
    ]);
  });
});
