/** What a delivery asks beside the suite: checks where no suite is configured, and the gates named in `gate.deliver`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deliverable, refused, verified } from './delivery-world.ts';
import { session } from './gates-world.ts';
import type { World } from './world.ts';

const silent = (w: World, command: string): void => {
  const ran = w.bash(command);
  assert.deepEqual([ran.code, ran.out, ran.err], [0, '', ''], command);
};

const check = (id: string, word: string): object => ({
  id,
  command: ['sh', '-c', `grep -c ${word} f`],
  runner: 'generic',
  success_pattern: '^1$',
});

describe('a project with checks and no suite', () => {
  const rules = { test: { cmd: '' }, checks: [check('good', 'good'), check('short', '^....$')] };

  it('is refused with the very check runs that are missing, until they passed at what leaves', () => {
    using w = deliverable(rules);
    w.cli(['config', 'accept']);
    assert.match(
      refused(w.bash('git push origin main')),
      /no green run of good, short at it\. Run: touchstone check run good short\n/,
    );
    assert.equal(w.cli(['check', 'run', 'good']).code, 0);
    assert.match(
      refused(w.bash('git push origin main')),
      /no green run of short at it\. Run: touchstone check run short\n/,
    );
    w.file('f', 'not short any more\n');
    assert.match(
      refused(w.bash('git push origin main')),
      /differs from it \(f\).*commit, stash or ignore these, run touchstone check run short, then deliver/,
    );
    w.git('checkout', '-q', 'f');
    assert.equal(w.cli(['check', 'run', 'short']).code, 0);
    silent(w, 'git push origin main');
    w.file('f', 'good, and long\n').git('commit', '-qam', 'long');
    const no = w.cli(['deliver']);
    assert.equal(no.code, 1);
    assert.match(no.out, /proof +good: green, run now\nproof +short: stale/);
    assert.match(refused(w.bash('git push origin main')), /no green run of short at it/);
  });

  it('is asked for nothing where it has neither', () => {
    using w = deliverable({ test: { cmd: '' } });
    w.cli(['config', 'accept']);
    silent(w, 'git push origin main');
  });

  it('names what repairs the rules where they are broken or gone', () => {
    using w = verified();
    w.cli(['config', 'accept']);
    w.file('.claude/project.json', '{');
    assert.match(refused(w.bash('git push')), /\.claude\/project\.json .*Run: touchstone config validate/);
    w.sh('rm .claude/project.json');
    assert.match(refused(w.bash('git push')), /the rules file is gone.*Run: touchstone doctor/);
  });
});

describe('gates named in gate.deliver', () => {
  const gates = { review: { marker: true }, notes: { marker: true }, hint: { marker: true, enforcement: 'advisory' } };
  const rules = { gates, gate: { deliver: ['review', 'notes', 'hint'] } };

  it('hold a push and a pull request, not a commit, by one cause and one command', () => {
    using w = verified(rules);
    w.cli(['config', 'accept']);
    session(w);
    silent(w, 'git commit --allow-empty -m x');
    assert.match(
      refused(w.bash('git push')),
      /git push: gate review is not proven: .*missing.*\(and 1 more\)\. Run: touchstone gate pass review\n/,
    );
    assert.match(refused(w.bash('gh pr create --fill')), /gh pr create: gate review is not proven/);
    silent(w, 'git push --dry-run');
    const no = w.cli(['deliver']);
    assert.equal(no.code, 1);
    assert.match(no.out, /refused +gate review is not proven: .*\nrefused +gate notes is not proven/);
    assert.doesNotMatch(no.out, /gate hint/);
    assert.equal(w.cli(['gate', 'pass', 'review']).code, 0);
    assert.match(refused(w.bash('git push')), /gate notes is not proven/);
    assert.equal(w.cli(['gate', 'pass', 'notes']).code, 0);
    silent(w, 'git push');
    assert.equal(w.cli(['deliver', '--dry-run']).code, 0);
  });

  it('hold it where neither a suite nor a check is configured', () => {
    using w = deliverable({ ...rules, test: { cmd: '' } });
    w.cli(['config', 'accept']);
    assert.match(refused(w.bash('git push')), /gate review is not proven/);
    silent(w, 'git commit --allow-empty -m x');
  });

  it('close in quarantine and under a halt, also on a push from a terminal', () => {
    using w = verified(rules);
    w.cli(['config', 'accept']);
    assert.equal(w.cli(['init', '--git-hooks']).code, 0);
    w.git('add', '-A');
    w.git('commit', '-qm', 'hooks');
    w.cli(['verify']);
    session(w);
    for (const step of ['review', 'notes']) w.cli(['gate', 'pass', step]);
    w.cli(['marker', 'set', 'quarantine', '--reason', 'leaks a key']);
    assert.match(
      refused(w.bash('git push')),
      /gate quarantine is not met: the work is in quarantine: reason: leaks a key\. Next: ask the user: touchstone marker clear quarantine/,
    );
    const pushed = w.git('push', 'origin', 'main');
    assert.notEqual(pushed.code, 0);
    assert.match(pushed.err, /gate quarantine is not met/);
    assert.match(w.cli(['deliver']).out, /gate quarantine is not met/);
    assert.equal(w.cli(['marker', 'clear', 'quarantine']).code, 0);
    assert.equal(w.git('push', 'origin', 'main').code, 0);
    w.cli(['marker', 'set', 'halt', '--reason', 'stop']);
    w.sh('git commit -q --no-verify --allow-empty -m more', join(w.root));
    assert.match(refused(w.bash('git push')), /gate \w+ is not met: .*halt/);
  });

  it('are not told from a configuration with a fault', () => {
    using w = verified({ gate: { deliver: ['nowhere'] } });
    w.cli(['config', 'accept']);
    assert.match(
      refused(w.bash('git push')),
      /gate gates is not met: .*gate\.deliver.*Run: touchstone config validate/,
    );
  });
});
