import { realpathSync } from 'node:fs';
import { findRoot } from '../state/paths.ts';
import type { Check, Context, Result, SettingsFile } from './doctor/check.ts';
import { compiled } from './doctor/compiled.ts';
import { environment } from './doctor/environment.ts';
import { hookFiles } from './doctor/files.ts';
import { hooksFire } from './doctor/hooks-fire.ts';
import { projectFile, rulesAccepted } from './doctor/rules.ts';
import { hooksDisabled, settingsParse } from './doctor/settings-files.ts';
import { stateIgnored, stateReads, stateWritable } from './doctor/state.ts';
import { gitTool, node } from './doctor/tools.ts';
import { startFolder, wiring } from './doctor/wiring.ts';
import { type Env, managedFiles, readText, type Scope, settingsPath } from './places.ts';

/** In the order in which a reader wants them: what the rest needs comes first. */
export const CHECKS: readonly Check[] = [
  node,
  gitTool,
  projectFile,
  rulesAccepted,
  settingsParse,
  hooksDisabled,
  wiring,
  hookFiles,
  compiled,
  hooksFire,
  startFolder,
  environment,
  stateWritable,
  stateReads,
  stateIgnored,
];

export type DoctorOptions = {
  start: string;
  env?: Env;
  node?: string;
  nodeVersion?: string;
  insideAgent?: boolean;
  /** Repair what is safe, then look again. */
  fix?: boolean;
  /** Names of the checks to run; all when empty. */
  only?: readonly string[];
  rewire?(root: string): unknown;
  managedDir?: string;
};

export type Finding = { check: string; fixed?: boolean } & Omit<Result, 'fix'> & { next?: string };

export async function doctor(options: DoctorOptions): Promise<{ root: string; findings: Finding[] }> {
  const env = options.env ?? process.env;
  const start = realpathSync(options.start);
  const root = realpathSync(findRoot(start));
  const checks = CHECKS.filter(check => !options.only?.length || options.only.includes(check.name));
  const context = (): Context => ({
    root,
    start,
    env,
    node: options.node ?? process.execPath,
    nodeVersion: options.nodeVersion ?? process.version,
    insideAgent: options.insideAgent ?? false,
    settings: settingsFiles(root, env, options.managedDir),
    rewire: () => options.rewire?.(root),
  });

  const findings: Finding[] = [];
  for (const check of checks) {
    let results = attempt(check, context());
    let fixed = false;
    if (options.fix) {
      for (const result of results.filter(r => r.status !== 'ok')) {
        if (!result.fix?.apply) continue;
        fixed = await repair(result);
        results = attempt(check, context());
        break;
      }
    }
    for (const { status, line, fix } of results) {
      findings.push({
        check: check.name,
        status,
        line,
        next: fix?.say,
        ...(fixed && status === 'ok' ? { fixed } : {}),
      });
    }
  }
  return { root, findings };
}

/** A repair that fails leaves the finding as it is. */
async function repair(result: Result): Promise<boolean> {
  try {
    await result.fix?.apply?.();
    return true;
  } catch {
    return false;
  }
}

/** A check that breaks is a finding like another: the rest of the list still counts. */
function attempt(check: Check, context: Context): Result[] {
  try {
    return check.run(context);
  } catch (error) {
    return [
      { status: 'fail', line: `could not be checked: ${error instanceof Error ? error.message : String(error)}` },
    ];
  }
}

/** Highest precedence first. */
function settingsFiles(root: string, env: Env, managedDir?: string): SettingsFile[] {
  const scopes: Scope[] = ['local', 'project', 'user'];
  const places = [
    ...managedFiles(managedDir).map(path => ({ scope: 'managed' as const, path })),
    ...scopes.map(scope => ({ scope, path: settingsPath(scope, root, env) })),
  ];
  return places.flatMap(({ scope, path }) => {
    let text: string | null;
    try {
      text = readText(path);
    } catch {
      // Unreadable counts as broken, and the settings check says which file it is.
      text = '\u0000';
    }
    return text === null ? [] : [{ scope, path, text }];
  });
}
