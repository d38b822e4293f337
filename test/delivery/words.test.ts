import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commitWords, pushWords, type Source, sourcesOf } from '../../src/delivery/words.ts';

const words = (text: string): string[] => text.split(' ').filter(word => word !== '');

describe('the words of git commit', () => {
  /** The git calls that stand for what happens to the index; null where nothing comes of it, a text where it is unknown. */
  const staged = (text: string, head = true): string[] | string | null => {
    const said = commitWords(words(text), '/at', head);
    if (said.kind === 'nothing') return null;
    return said.kind === 'unknown' ? said.why : said.steps.map(step => step.args.join(' '));
  };

  it('leave the index as it is where nothing is staged on the way', () => {
    for (const text of [
      '',
      '-m x',
      '-qm x',
      '--amend --no-edit',
      '--fixup HEAD',
      '-S',
      '-Skey -m x',
      '-uno -m x',
      '-C HEAD',
      '-F msg',
    ])
      assert.deepEqual(staged(text), [], text);
  });

  it('stage what is tracked under -a, however it is bundled', () => {
    for (const text of ['-a -m x', '-am x', '-qam x', '--all', '-aS', '-m x -a', '-auno'])
      assert.deepEqual(staged(text), ['add -u -- :(top)'], text);
    for (const text of ['-ma', '-m -a', '--message -a', '-Sa', '-uall']) assert.deepEqual(staged(text), [], text);
  });

  it('take named paths alone, on top of HEAD, unless they are included', () => {
    assert.deepEqual(staged('-m x a b'), ['read-tree HEAD', 'add -A -- a b']);
    assert.deepEqual(staged('-m x -- -a'), ['read-tree HEAD', 'add -A -- -a']);
    assert.deepEqual(staged('-o a'), ['read-tree HEAD', 'add -A -- a']);
    assert.deepEqual(staged('a', false), ['read-tree --empty', 'add -A -- a']);
    assert.deepEqual(staged('-i a -m x'), ['add -A -- a']);
    assert.deepEqual(staged('--include a'), ['add -A -- a']);
  });

  it('deliver nothing where they only say what they would do', () => {
    for (const text of ['--dry-run', '--short', '--porcelain', '--long', '--help', '-h', '-a --dry-run'])
      assert.equal(staged(text), null, text);
  });

  it('do not tell what is staged by hand, or from a file', () => {
    assert.equal(staged('-p'), 'it stages by hand');
    assert.equal(staged('--interactive'), 'it stages by hand');
    assert.equal(staged('--pathspec-from-file=list'), 'its paths stand in a file');
    assert.equal(staged('--pathspec-from-file list'), 'its paths stand in a file');
  });

  it('count from the folder they are run in', () => {
    const said = commitWords(['f'], '/somewhere', true);
    assert.deepEqual(said.kind === 'index' && said.steps.map(step => step.cwd), ['/somewhere', '/somewhere']);
  });
});

const say = (source: Source): string => (source.kind === 'rev' ? source.rev : `${source.pattern}?`);

describe('the words of git push', () => {
  /** `remote: sources`, or null for a push that says what it would do. */
  const pushed = (text: string): string | null => {
    const said = pushWords(words(text));
    if (said === null) return null;
    return `${said.remote}: ${said.sources === 'default' ? 'default' : said.sources.map(say).join(' ')}`;
  };

  it('name a remote and what leaves', () => {
    const cases: Record<string, string> = {
      '': 'null: default',
      origin: 'origin: default',
      '-u origin main': 'origin: main',
      '-uf origin main': 'origin: main',
      '--force-with-lease origin main topic': 'origin: main topic',
      'origin HEAD:refs/heads/x': 'origin: HEAD',
      'origin +main:main': 'origin: main',
      'origin tag v1': 'origin: refs/tags/v1',
      'origin tag': 'origin: tag',
      '-o ci.skip origin main': 'origin: main',
      '--push-option=x origin': 'origin: default',
      '--repo=up': 'up: default',
      '--repo up': 'up: default',
      '-- origin main': 'origin: main',
      'https://host.example/x.git main': 'https://host.example/x.git: main',
    };
    for (const [text, expected] of Object.entries(cases)) assert.equal(pushed(text), expected, text);
  });

  it('take many refs at once', () => {
    assert.equal(pushed('--all origin'), 'origin: refs/heads/?');
    assert.equal(pushed('--branches origin'), 'origin: refs/heads/?');
    assert.equal(pushed('--tags'), 'null: refs/tags/?');
    assert.equal(pushed('--mirror up'), 'up: refs/?');
    assert.equal(pushed('origin main --tags'), 'origin: main refs/tags/?');
    assert.equal(pushed('origin :'), 'origin: refs/heads/?');
    assert.equal(pushed('origin refs/heads/*:refs/heads/*'), 'origin: refs/heads/*?');
  });

  it('take nothing along where they delete, or only say', () => {
    assert.equal(pushed('origin --delete old'), 'origin: ');
    assert.equal(pushed('-d origin old'), 'origin: ');
    assert.equal(pushed('origin :old'), 'origin: ');
    assert.equal(pushed('origin ^old'), 'origin: ');
    for (const text of ['-n', '--dry-run origin main', '--help', '-h', '-un origin main'])
      assert.equal(pushed(text), null, text);
  });

  it('read refspecs as settings give them', () => {
    assert.deepEqual(sourcesOf(['+refs/heads/*:refs/remotes/x/*', 'HEAD:main', ':gone']).map(say), [
      'refs/heads/*?',
      'HEAD',
    ]);
  });
});
