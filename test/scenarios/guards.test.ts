import assert from 'node:assert/strict';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { redProject, type World } from './world.ts';

function wired(): World {
  const w = redProject();
  assert.equal(w.cli(['init', '.']).code, 0);
  return w;
}

function denied(ran: { code: number | null; err: string }, rule: string, what: string): void {
  assert.equal(ran.code, 2, `${what} was allowed`);
  assert.match(ran.err, new RegExp(`^Touchstone ${rule}: `), what);
}

function allowed(ran: { code: number | null; out: string; err: string }, what: string): void {
  assert.deepEqual([ran.code, ran.out, ran.err], [0, '', ''], what);
}

test('the state folder is written by nobody else, whatever the route', () => {
  using w = wired();
  for (const command of [
    'echo PASS > .claude/state/last_test_result',
    "printf 'PASS\\n' | tee .claude/state/last_test_result",
    'cd .claude && printf PASS > state/last_test_result',
    'f=last_test_result; echo PASS > .claude/state/$f',
    "python3 -c \"open('.claude/state/last_test_result','w').write('PASS')\"",
    "bash -c 'rm -rf .claude/state'",
    'rm -rf .claude',
    'mv .claude .c2',
    "sed -i 's/FAIL/PASS/' .claude/state/verdict.json",
    'cp /tmp/x .claude/state/verdict.json',
    'touch -d yesterday .claude/state/last_test_result',
    'echo done > /tmp/log.txt; mv scratch .claude/state/session.json',
    'cat <<EOF > .claude/state/last_test_result\nPASS\nEOF',
  ]) {
    assert.equal(w.bash(command).code, 2, command);
  }
  denied(
    w.write('.claude/state/last_test_result', 'PASS\n2026-05-12T18:30:00Z\nnpm test\n0\n'),
    'state-files',
    'a PASS by hand',
  );
  denied(w.write('src/../.claude/state/accepted.json', '{}'), 'state-files', 'dots');
  denied(w.pre('mcp__fs__write_file', { path: '.claude/state/verdict.json', content: '{}' }), 'state-files', 'MCP');
  allowed(w.write('.claude/state/last_test_result', 'FAIL\n2026-05-12T18:30:00Z\nnpm test\n1\n'), 'a FAIL by hand');
  const four = (word: string) => `printf '${word}\\n2026-05-12T18:30:00Z\\nnpm test\\n1\\n'`;
  allowed(w.bash(`${four('FAIL')} > .claude/state/last_test_result`), 'a FAIL by hand, in a shell');
  denied(w.bash(`${four('PASS')} > .claude/state/last_test_result`), 'state-files', 'a PASS in a shell');
  denied(w.bash(`${four('FAIL')} >> .claude/state/last_test_result`), 'state-files', 'more behind what stands there');
  denied(w.bash(`${four('FAIL')} | tee .claude/state/verdict.json`), 'state-files', 'another file of the state');
  allowed(w.write('.claude/state/markers/review.pass', ''), 'a pass marker');
  denied(w.bash('touch -d yesterday .claude/state/markers/review.pass'), 'state-files', "a marker's times");
  for (const command of [
    'cat .claude/state/last_test_result',
    'ls -la .claude/state',
    'grep PASS .claude/state/last_test_result',
    'git commit -m "never echo x > .claude/state/last_test_result"',
    "cat > notes.md <<'EOF'\nrun: echo x > .claude/state/last_test_result\nEOF",
  ]) {
    allowed(w.bash(command), command);
  }
});

test('links to the state are the state', () => {
  using w = wired();
  w.cli(['verify']);
  symlinkSync(join(w.root, '.claude/state'), join(w.root, 'st'));
  denied(w.write('st/last_test_result', 'PASS\n'), 'state-files', 'a symlinked folder');
  linkSync(join(w.root, '.claude/state/last_test_result'), join(w.root, 'hard'));
  denied(w.write('hard', 'PASS\n'), 'state-files', 'a hard link');
  assert.equal(w.bash('echo PASS > hard').code, 2);
});

test('hook settings lose none of our hooks, and every other edit passes', () => {
  using w = wired();
  const settings = '.claude/settings.json';
  const text = w.read(settings);
  const ours = JSON.parse(text);
  const changed = (edit: (s: typeof ours) => void) => {
    const copy = JSON.parse(text);
    edit(copy);
    return w.write(settings, JSON.stringify(copy, null, 2));
  };
  denied(w.write(settings, '{}\n'), 'hook-config', 'emptied');
  denied(w.write(settings, '{'), 'hook-config', 'broken');
  denied(
    changed(s => {
      s.disableAllHooks = true;
    }),
    'hook-config',
    'disableAllHooks',
  );
  denied(
    changed(s => {
      delete s.hooks.Stop;
    }),
    'hook-config',
    'an event removed',
  );
  denied(
    changed(s => {
      s.hooks.PreToolUse[0].matcher = 'Glob';
    }),
    'hook-config',
    'matcher narrowed',
  );
  denied(
    changed(s => {
      s.hooks.PreToolUse[0].hooks[0].timeout = 1;
    }),
    'hook-config',
    'timeout shortened',
  );
  denied(
    changed(s => {
      s.hooks.PreToolUse[0].hooks.push({ type: 'nonsense' });
    }),
    'hook-config',
    'an entry that drops the file',
  );
  denied(w.write('.claude/settings.local.json', '{"disableAllHooks": true}'), 'hook-config', 'local settings');
  denied(
    w.pre('Write', { file_path: join(w.home, '.claude/settings.json'), content: '{"disableAllHooks":true}' }),
    'hook-config',
    'user settings',
  );
  for (const command of [
    `rm ${settings}`,
    `echo '{}' > ${settings}`,
    'git config --file .git/config core.hooksPath /dev/null',
    'git config -f /tmp/mine.cfg core.hooksPath /dev/null && GIT_CONFIG_GLOBAL=/tmp/mine.cfg git commit -m x',
    'git config core.hooksPath /dev/null',
    'git -c core.hooksPath=/dev/null commit -m x',
    'git commit --no-verify -m x',
    'echo x > .husky/pre-commit',
    'rm -rf .git/hooks',
  ]) {
    denied(w.bash(command), 'hook-config', command);
  }
  denied(w.write('.git/hooks/pre-commit', 'exit 0'), 'hook-config', 'a git hook');
  denied(w.write('.claude/hooks/mine.sh', 'exit 0'), 'hook-config', 'a hook script');
  allowed(
    changed(s => {
      s.permissions = { allow: ['Bash(ls:*)'] };
      s.hooks.PreToolUse.push({ matcher: 'Read', hooks: [{ type: 'command', command: 'true' }] });
    }),
    'another hook and a permission',
  );
  allowed(w.write('docs/settings.json', '{"hooks":{}}'), 'an example elsewhere');
  allowed(w.bash('git config user.name T; git config --get core.hooksPath'), 'reading it');
  allowed(w.bash('git config --file /tmp/mine.cfg core.hooksPath .hooks'), 'a file git does not read');
  allowed(w.bash('npx prettier --write .'), 'what a formatter makes of settings');
});

test('the rules change by a human alone', () => {
  using w = wired();
  const config = JSON.parse(w.read('.claude/project.json'));
  denied(
    w.write('.claude/project.json', JSON.stringify({ ...config, test: { cmd: 'true' } })),
    'hook-config',
    'another suite',
  );
  denied(
    w.write('.claude/project.json', JSON.stringify({ ...config, frozen: { paths: [] } })),
    'hook-config',
    'nothing frozen',
  );
  denied(w.write('.claude/plan.json', '{}'), 'hook-config', 'a plan');
  assert.equal(w.bash('rm .claude/project.json').code, 2);
  allowed(
    w.write('.claude/project.json', JSON.stringify({ notes: 'x', ...config }, null, 4)),
    'a note, another layout',
  );
});

test("a human's verbs are refused through the agent and by the verb itself", () => {
  using w = wired();
  for (const command of [
    'touchstone uninstall',
    'npx touchstone config accept',
    'touchstone thaw tests/a.ts --reason x',
    'touchstone init .',
    'env -u CLAUDECODE touchstone uninstall',
    "bash -c 'touchstone config accept'",
    'node node_modules/touchstone/dist/cli.mjs uninstall',
    'node node_modules/touchstone/dist/cli.cjs uninstall',
    './install.sh .; touchstone uninstall',
  ]) {
    assert.equal(w.bash(command).code, 2, command);
  }
  for (const command of [
    'touchstone verify',
    'npx touchstone status',
    'touchstone freeze restore',
    'echo touchstone uninstall',
    'git commit -m "touchstone uninstall"',
    'touchstone uninstall --help',
    'grep -rn "touchstone thaw" docs',
  ]) {
    allowed(w.bash(command), command);
  }
  for (const args of [['uninstall'], ['config', 'accept'], ['init', '.'], ['thaw', 'a', '--reason', 'x']]) {
    const ran = w.cli(args, { env: { CLAUDECODE: '1' } });
    assert.equal(ran.code, 2, args.join(' '));
    assert.match(ran.err, /human/);
  }
});

test('settings that slip past are vetoed while the session runs, unless a human announced them', () => {
  using w = wired();
  w.hook('session-start', { hook_event_name: 'SessionStart', source: 'startup' });
  const file = join(w.root, '.claude/settings.json');
  const text = w.read('.claude/settings.json');
  const change = (path = file) =>
    w.hook('config-change', { hook_event_name: 'ConfigChange', source: 'project_settings', file_path: path });
  assert.equal(change().code, 0);
  for (const bad of ['{}', '{', JSON.stringify({ ...JSON.parse(text), disableAllHooks: true })]) {
    w.file('.claude/settings.json', bad);
    assert.equal(change().code, 2, bad.slice(0, 20));
  }
  w.file('.claude/settings.json', text).file('.claude/settings.local.json', '{"disableAllHooks":true}');
  assert.equal(change(join(w.root, '.claude/settings.local.json')).code, 2);
  w.file('.claude/settings.local.json', '{}');
  assert.equal(w.cli(['uninstall', '--keep-state']).code, 0);
  assert.equal(change().code, 0, 'announced by uninstall');
});

test('claims are judged by the result of the edit', () => {
  using w = wired();
  w.file('docs/verification/r.md', '# R\n\nVERDICT: FAIL\nwhy: DID NOT PASS\n');
  denied(w.edit('docs/verification/r.md', 'FAIL', 'PASS'), 'pass-claim', 'a splice');
  denied(
    w.edit('docs/verification/r.md', 'VERDICT: FAIL\nwhy: DID NOT ', 'VERDICT: '),
    'pass-claim',
    'a negation removed',
  );
  denied(
    w.pre('MultiEdit', {
      file_path: join(w.root, 'docs/verification/r.md'),
      edits: [
        { old_string: 'FAIL', new_string: 'PA' },
        { old_string: 'PA', new_string: 'PASS' },
      ],
    }),
    'pass-claim',
    'in two steps',
  );
  denied(
    w.pre('NotebookEdit', { notebook_path: join(w.root, 'docs/verify/a.ipynb'), new_source: 'PASS' }),
    'pass-claim',
    'a notebook',
  );
  denied(w.write('out/Verify.txt', 'PASS'), 'pass-claim', 'mixed case');
  mkdirSync(join(w.root, 'docs/verify'), { recursive: true });
  symlinkSync(join(w.root, 'docs/verify'), join(w.root, 'dv'));
  denied(w.write('dv/a.md', 'PASS'), 'pass-claim', 'a symlinked folder');
  for (const command of [
    "echo 'VERDICT: PASS' >> docs/verification/r.md",
    "sed -i 's/FAIL/PASS/' docs/verification/r.md",
    'V=PASS; echo "VERDICT: $V" > docs/verification/r.md',
    "python3 -c \"open('docs/verification/r.md','w').write('VERDICT: PASS')\"",
  ]) {
    denied(w.bash(command), 'pass-claim', command);
  }
  for (const command of [
    'npm test > docs/verification/run.log 2>&1 || true',
    'grep PASS docs/verification/r.md',
    "printf 'mul: PASS\\nVERDICT: FAIL\\n' > docs/verification/r.md",
  ])
    allowed(w.bash(command), command);
  allowed(w.edit('docs/verification/r.md', '# R', '# Report'), 'another line');
  allowed(w.write('src/verify.ts', "export const line = 'x';\nPASS\n"), 'source code');
});
