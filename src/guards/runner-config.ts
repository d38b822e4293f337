/** Fewer tests, or a failure that no longer shows, is not the agent's to choose: judged on what the edit makes of the file. */
import { matchAny } from '../config/glob.ts';
import { ALLOW, deny, type Event } from '../event.ts';
import { type Guard, relNames, type Touch, type View } from './guard.ts';
import { simulate } from './simulate.ts';

const RULE = 'runner-config';
const RUNNERS = names(
  'jest vitest mocha ava tap pytest phpunit rspec npm npx pnpm yarn node go cargo make tsx python python3',
);
const CONFIG_FILES = names(
  'package.json deno.json deno.jsonc bunfig.toml pytest.ini .pytest.ini tox.ini conftest.py setup.cfg pyproject.toml Cargo.toml ' +
    'nextest.toml go.mod .rspec .rspec-local Rakefile .bats .busted .proverc Makefile makefile GNUMakefile GNUmakefile .npmrc ' +
    '.yarnrc .yarnrc.yml .bashrc .bash_profile .profile .zshrc .zshenv',
);

function names(list: string): Set<string> {
  return new Set(list.split(' '));
}

/** By name alone: everything else never gets as far as the texts. Words first: a long pattern costs a hook its start. */
function isTestFile(name: string): boolean {
  const low = name.toLowerCase();
  if (low.includes('test') || low.includes('spec'))
    return /(?:^|\/)(?:tests?|specs?|__tests__)\/|(?:^|[._-])(?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*\.py$|_(?:test|spec)\.\w+$|(?:Tests?|Spec)\.(?:java|kt|cs|scala|swift|php|groovy)$|\.(?:bats|t)$/.test(
      name,
    );
  return name.endsWith('.t') || name.endsWith('.bats') || /IT\.(?:java|kt|cs|scala|swift|php|groovy)$/.test(name);
}

function isConfigFile(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1)!;
  const inFolder = (folder: string, i: number) =>
    RUNNERS.has(name) && i > 0 && i === parts.length - 2 && /^\.?bin$/.test(folder);
  return (
    CONFIG_FILES.has(name) ||
    path === '.gitlab-ci.yml' ||
    path.startsWith('.github/workflows/') ||
    (name.startsWith('tsconfig') && /^[\w.-]*\.json$/.test(name)) ||
    (/^(?:phpunit|\.mocharc)/.test(name) && /^[\w.]*$/.test(name)) ||
    (/\.(?:config|conf|workspace|projects)\./.test(name) && /^[\w.-]+\.\w+\.(?:[cm]?[jt]s|json)$/.test(name)) ||
    (name.includes('etup') && /^[\w.-]*[sS]etup[\w.-]*\.(?:[cm]?[jt]sx?|py|rb)$/.test(name)) ||
    parts.some(
      (part, i) => inFolder(part, i) || (part === 'node_modules' && i < parts.length - 2 && RUNNERS.has(parts[i + 1]!)),
    )
  );
}

export const runnerConfig: Guard = {
  name: RULE,
  judge(event, view) {
    if (event.kind !== 'pre-tool' || !event.call) return ALLOW;
    for (const touch of view.touches()) {
      if (touch.op === 'mode' || touch.tidies || touch.maybe || touch.via === 'mkdir') continue;
      const inside = relNames(touch, view);
      for (const name of inside.length > 0 ? inside : [touch.at.abs]) {
        const isTest = inside.length > 0 && isTestFile(name);
        if (!isTest && !isConfigFile(name)) continue;
        const why = view.rules().weakerTests({
          name,
          before: view.read(touch.at.real),
          after: result(touch, event, view),
          words: touch.shell ? view.rules().writerWords(touch.via, view.reading()?.invocations ?? []) : '',
          isTest,
          frozen: holdsSettings(name, view),
        });
        if (why === null || view.allowed(name)) continue;
        return deny(
          RULE,
          `${touch.via} would weaken the tests in ${name}: ${why}.`,
          `fix the code instead; only the user allows this once, by typing \`/touchstone allow ${name}\``,
        );
      }
    }
    return ALLOW;
  },
};

function holdsSettings(name: string, view: View): boolean {
  const trace = view.frozen();
  return trace !== null && matchAny(trace.thawed, name) === null;
}

/** Null: gone. Undefined: not to be known from the command's text. */
function result(touch: Touch, event: Event, view: View): string | null | undefined {
  if (touch.op === 'delete' || touch.op === 'rename') return null;
  const before = view.read(touch.at.real);
  if (!touch.shell) {
    const change = event.call?.change;
    return change === undefined || change.kind === 'cell' ? undefined : simulate(before, change);
  }
  const written = touch.content?.();
  return written === undefined ? undefined : touch.append ? (before ?? '') + written : written;
}
