import { existsSync } from 'node:fs';
import { type Check, type Context, fail, firstLine, ok, type Result, runCommand, warn } from './check.ts';
import { parsed } from './settings-files.ts';

/** Variables that reach every hook process and change how node starts, before a line of ours runs. */
export const environment: Check = {
  name: 'environment',
  run(ctx) {
    const found = sources(ctx).flatMap(({ from, env }) => [
      ...nodeOptions(ctx, from, env),
      ...extraCerts(ctx, from, env),
    ]);
    return found.length ? found : [ok('no NODE_OPTIONS and no NODE_EXTRA_CA_CERTS')];
  },
};

type Source = { from: string; env: Record<string, unknown> };

function sources(ctx: Context): Source[] {
  const fromSettings = parsed(ctx).map(({ path, value }) => ({
    from: `"env" of ${path}`,
    env: (value.env as Record<string, unknown> | undefined) ?? {},
  }));
  return [{ from: 'the environment', env: ctx.env }, ...fromSettings];
}

function nodeOptions(ctx: Context, from: string, env: Record<string, unknown>): Result[] {
  const value = env.NODE_OPTIONS;
  if (typeof value !== 'string' || value.trim() === '') return [];
  const ran = runCommand(ctx.node, ['-e', '0'], {
    cwd: ctx.root,
    env: { PATH: ctx.env.PATH, NODE_OPTIONS: value },
    seconds: 20,
  });
  if (ran.code !== 0) {
    return [
      fail(
        `NODE_OPTIONS in ${from} stops node before any hook runs (${firstLine(ran.stderr) || `exit ${ran.code}`})`,
        'unset NODE_OPTIONS where the client is started',
      ),
    ];
  }
  if (/(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)(?:[\s=]|$)/.test(value)) {
    return [warn(`NODE_OPTIONS in ${from} loads code into every hook (${value})`, 'start the client without it')];
  }
  return [
    warn(`NODE_OPTIONS in ${from} reaches every hook (${value})`, 'start the client without it, if it is not needed'),
  ];
}

function extraCerts(ctx: Context, from: string, env: Record<string, unknown>): Result[] {
  const value = env.NODE_EXTRA_CA_CERTS;
  if (typeof value !== 'string' || value === '') return [];
  if (!existsSync(value)) {
    return [
      warn(
        `NODE_EXTRA_CA_CERTS in ${from} names ${value}, which is not there: node warns at every start`,
        'correct or unset it',
      ),
    ];
  }
  if (Number(ctx.nodeVersion.replace(/^v/, '').split('.')[0]) >= 22) return [];
  return [
    warn(
      `NODE_EXTRA_CA_CERTS in ${from}: node ${ctx.nodeVersion} reads the bundle at every start, which makes a hook nearly twice as slow`,
      'use node 22 or newer, or start the client with it unset',
    ),
  ];
}
