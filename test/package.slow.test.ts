/** The published package: small, free of dependencies, and able to wire and guard a project by itself. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MEGABYTE = 1_000_000;

type Handler = { command: string; args: string[] };
type Settings = { hooks: Record<string, { matcher?: string; hooks: Handler[] }[]> };

describe('the npm package', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'touchstone package ')));
  const home = join(work, 'home');
  const project = join(work, 'project');
  const env = { PATH: process.env.PATH, HOME: home };
  const bin = join(work, 'place', 'node_modules', '.bin', 'touchstone');
  let tarball = '';

  const run = (command: string, args: string[], cwd: string, input?: string) => {
    const r = spawnSync(command, args, { cwd, env, encoding: 'utf8', input, timeout: 180_000 });
    return { status: r.status, stdout: r.stdout ?? '', output: `${r.stdout}${r.stderr}${r.error ?? ''}` };
  };

  before(() => {
    for (const dir of ['home', 'place', 'project']) mkdirSync(join(work, dir));
    // The build is the caller's: `npm run test:full` has just made it.
    const packed = run('npm', ['pack', '--ignore-scripts', '--pack-destination', work, '--json'], ROOT);
    assert.equal(packed.status, 0, packed.output);
    tarball = join(work, readdirSync(work).find(n => n.endsWith('.tgz'))!);
    writeFileSync(join(work, 'place', 'package.json'), '{"private":true}\n');
    const installed = run(
      'npm',
      ['install', '--omit=dev', '--offline', '--no-audit', '--no-fund', tarball],
      join(work, 'place'),
    );
    assert.equal(installed.status, 0, installed.output);
    writeFileSync(join(project, 'package.json'), '{"private":true,"scripts":{"test":"node --test"}}\n');
    writeFileSync(join(project, 'a.test.js'), "require('node:test')('red', () => { throw new Error('red'); });\n");
    run('git', ['init', '-q'], project);
  });
  after(() => rmSync(work, { recursive: true, force: true }));

  it('is under a megabyte', () => {
    const { size } = statSync(tarball);
    assert.ok(size < MEGABYTE, `${size} bytes`);
  });

  it('holds what it needs and no source, test or map', () => {
    const files = run('tar', ['-tzf', tarball], work).stdout.split('\n').filter(Boolean);
    for (const name of [
      'dist/cli.cjs',
      'dist/hooks/pre-tool-use.cjs',
      'dist/shell.cjs',
      'hooks/hooks.json',
      'LICENSE',
      'package.json',
    ]) {
      assert.ok(files.includes(`package/${name}`), name);
    }
    assert.deepEqual(
      files.filter(f =>
        /^package\/(?:src|test|bench)\/|\.map$|\.ts$|\.tmp$|^package\/\.claude\/(?!skills\/)|settings/.test(f),
      ),
      [],
    );
  });

  it('brings no dependency along', () => {
    const modules = readdirSync(join(work, 'place', 'node_modules')).filter(n => !n.startsWith('.'));
    assert.deepEqual(modules, ['touchstone']);
  });

  it('says its version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    assert.equal(run(bin, ['--version'], project).stdout.trim(), version);
  });

  it('wires a project, judges its suite and refuses a claim', () => {
    const init = run(bin, ['init', project], work);
    assert.equal(init.status, 0, init.output);
    const verify = run(bin, ['verify'], project);
    assert.equal(verify.status, 1, verify.output);
    assert.match(readFileSync(join(project, '.claude/state/last_test_result'), 'utf8'), /^FAIL\n/);

    const settings = JSON.parse(readFileSync(join(project, '.claude/settings.json'), 'utf8')) as Settings;
    const [handler] = settings.hooks.PreToolUse!.flatMap(g => g.hooks);
    const args = handler!.args.map(a => a.replaceAll('${CLAUDE_PROJECT_DIR}', project));
    const call = (tool_input: Record<string, unknown>) =>
      JSON.stringify({
        session_id: 's',
        transcript_path: join(work, 't.jsonl'),
        cwd: project,
        hook_event_name: 'PreToolUse',
        tool_name: 'Write',
        tool_input,
        tool_use_id: 't1',
      });
    const file_path = join(project, 'docs/verify/report.md');
    const refused = run(handler!.command, args, project, call({ file_path, content: 'Verdict: PASS\n' }));
    assert.ok(refused.status === 2 || /"deny"/.test(refused.stdout), refused.output);
    assert.match(refused.output, /Touchstone/);
    const allowed = run(handler!.command, args, project, call({ file_path, content: 'Nothing to claim.\n' }));
    assert.equal(allowed.status, 0, allowed.output);
    assert.equal(allowed.output, '');

    const uninstall = run(bin, ['uninstall', project], work);
    assert.equal(uninstall.status, 0, uninstall.output);
    assert.ok(!existsSync(join(project, '.claude/settings.json')));
  });
});
