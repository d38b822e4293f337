/** The rules and the wiring that enforce them are not the agent's to change (design 8; FINDINGS "Settings under the agent's hands"). */
import { PLAN_FILE, sameTrust } from '../config/trust.ts';
import { ALLOW, type Change, type Decision, deny } from '../event.ts';
import { PROJECT_FILE } from '../state/paths.ts';
import { byHand } from './by-hand.ts';
import { type Guard, holds, relNames, type Touch, takesFolder, type View } from './guard.ts';
import { simulate } from './simulate.ts';

const RULE = 'hook-config';
const SETTINGS = ['.claude/settings.json', '.claude/settings.local.json'];
const FOLDERS = ['.claude/hooks', '.husky', '.git/hooks'];
const GIT_CONFIG = '.git/config';

export const hookConfig: Guard = {
  name: RULE,
  judge(event, view) {
    const call = event.call;
    if (event.kind !== 'pre-tool' || !call) return ALLOW;
    for (const touch of view.touches()) {
      const refused = judgeTouch(touch, call.change, view);
      if (refused) return refused;
    }
    for (const { argv } of view.reading()?.invocations ?? []) {
      const refused = hooksPath(argv);
      if (refused) return refused;
    }
    const started = byHand(view);
    if (started !== null) return deny(RULE, `${started}.`, 'let the client start it');
    const skip = view.reading()?.hookSkips[0];
    if (skip)
      return deny(RULE, `git ${skip.verb} would skip the repository's hooks (${skip.how}).`, 'let the hooks run');
    const named = view
      .opaque()
      .find(text =>
        /\.claude\/+(?:settings(?:\.local)?\.json|hooks\b|project\.json)|\.husky\b|\.git\/+hooks\b|core\.hooksPath|disableAllHooks/i.test(
          text,
        ),
      );
    return named === undefined
      ? ALLOW
      : deny(
          RULE,
          'the command names hook settings and could not be read to its end.',
          'split it into simple commands',
        );
  },
};

function judgeTouch(touch: Touch, change: Change | undefined, view: View): Decision | null {
  // Everyday tidying; what it takes from the wiring is seen after the call (docs/residual-risk.md).
  if (touch.tidies) return null;
  const names = relNames(touch, view);
  const settings = settingsFile(touch, names, view);
  if (settings) return judgeSettings(touch, settings, change, view);
  for (const rel of names) {
    for (const rules of [PROJECT_FILE, PLAN_FILE]) {
      if (rel === rules) return judgeRules(touch, rules, change, view);
      if (takesFolder(touch) && rel !== rules && holds(rel, rules) && view.read(`${view.root}/${rules}`) !== null) {
        return deny(RULE, `${touch.via} would take ${rules}, the rules, with it.`, 'leave .claude in place');
      }
    }
    for (const folder of FOLDERS) {
      if (rel === folder || rel.startsWith(folder + '/')) {
        if (touch.via === 'mkdir') continue;
        return deny(
          RULE,
          `${touch.via} would change ${rel}: hook scripts are not the agent's to change.`,
          'ask the user to change it',
        );
      }
      if (takesFolder(touch) && touch.op !== 'mode' && holds(rel, folder)) {
        return deny(RULE, `${touch.via} would take ${folder} with it.`, 'leave the hooks in place');
      }
    }
    // `git config` itself says which key it sets; its arguments are judged below.
    if (rel === GIT_CONFIG && !touch.via.startsWith('git') && mayMoveHooks(touch, change, view)) {
      return deny(RULE, `${touch.via} would write core.hooksPath in ${GIT_CONFIG}.`, 'ask the user to change it');
    }
  }
  const script = view
    .hookScripts()
    .find(
      path =>
        holds(path, touch.at.real) || holds(path, touch.at.abs) || (takesFolder(touch) && holds(touch.at.real, path)),
    );
  return script === undefined
    ? null
    : deny(RULE, `${touch.via} would change ${script}, which a configured hook runs.`, 'ask the user to change it');
}

/** The settings file a touch reaches: the project's two, or the user's own. */
function settingsFile(touch: Touch, names: string[], view: View): string | null {
  for (const rel of names) {
    const hit = SETTINGS.find(
      file =>
        rel === file ||
        (takesFolder(touch) &&
          touch.op !== 'mode' &&
          rel !== '' &&
          holds(rel, file) &&
          view.read(`${view.root}/${file}`) !== null),
    );
    if (hit) return `${view.root}/${hit}`;
    if (rel === '' && takesFolder(touch)) return `${view.root}/${SETTINGS[0]}`;
  }
  if (!view.home) return null;
  const own = SETTINGS.map(file => `${view.home}/${file}`);
  return (
    own.find(
      file =>
        touch.at.abs === file ||
        touch.at.real === file ||
        (takesFolder(touch) &&
          touch.op !== 'mode' &&
          touch.at.abs !== view.home &&
          holds(touch.at.abs, file) &&
          view.read(file) !== null),
    ) ?? null
  );
}

function judgeSettings(touch: Touch, file: string, change: Change | undefined, view: View): Decision | null {
  // A formatter changes what JSON looks like, not what it says.
  if (touch.maybe) return null;
  if (touch.shell) {
    return deny(
      RULE,
      `${touch.via} would change ${file} through the shell, where the result cannot be judged.`,
      'use the Edit tool, which is judged by its result',
    );
  }
  if (!change || touch.op === 'delete' || touch.op === 'rename') {
    return deny(RULE, `${touch.via} would take ${file} away, and the hooks with it.`, 'ask the user');
  }
  const before = view.read(file);
  const weaker = view.rules().weakening(before, simulate(before, change));
  return weaker === null
    ? null
    : deny(RULE, `this edit of ${file} ${weaker}.`, 'ask the user; `touchstone uninstall` is theirs to run');
}

function judgeRules(touch: Touch, file: string, change: Change | undefined, view: View): Decision | null {
  if (touch.maybe) return null;
  const before = view.read(`${view.root}/${file}`);
  const after =
    !touch.shell && change && touch.op !== 'delete' && touch.op !== 'rename' ? simulate(before, change) : null;
  if (after !== null && file === PROJECT_FILE && before !== null && sameTrust(before, after)) return null;
  if (after !== null && before === after) return null;
  return deny(
    RULE,
    `${touch.via} would change what counts as proof in ${file}.`,
    'propose the change to the user; a human edits it and runs `touchstone config accept`',
  );
}

function mayMoveHooks(touch: Touch, change: Change | undefined, view: View): boolean {
  if (touch.op === 'delete' || touch.op === 'rename') return true;
  // What git itself writes there is judged by the words of its command.
  if (touch.shell && touch.via.startsWith('git ')) return false;
  if (touch.shell || !change) return true;
  const before = view.read(touch.at.real);
  return hooksPathLines(simulate(before, change)) !== hooksPathLines(before ?? '');
}

function hooksPathLines(text: string): string {
  return (text.match(/^\s*hooksPath\s*=.*$|^\s*\[include.*$|^\s*path\s*=.*$/gim) ?? []).join('\n');
}

/** `-f FILE`, `--file=FILE`: a file that git reads only where it is told to. */
function otherFile(word: string, next = ''): boolean {
  const file = /^(?:-f|--file)$/.test(word) ? next : word.startsWith('--file=') ? word.slice(7) : '';
  return file !== '' && !/(?:^|\/)(?:\.gitconfig|config|config\.worktree|etc\/gitconfig)$/.test(file);
}

/** `git config core.hooksPath X`, `git -c core.hooksPath=X ...`, and the same by environment. */
function hooksPath(argv: readonly string[]): Decision | null {
  const git = argv.findIndex(word => /(?:^|\/)git$/.test(word));
  if (git < 0) return null;
  const words = argv.slice(git + 1);
  const inline = words.some(
    (w, i) =>
      (words[i - 1] === '-c' || w.startsWith('-c') || w.startsWith('--config-env')) && /core\.hookspath/i.test(w),
  );
  const config =
    words.find(w => !w.startsWith('-') && w !== words[words.indexOf('-C') + 1]) === 'config' ||
    words.includes('config');
  const key = words.findIndex(w => /^core\.hookspath$|^include(?:if\..*)?\.path$/i.test(w));
  const reads =
    words.some((w, i) => /^(?:--get(?:-all|-regexp)?|get|--list|-l)$/.test(w) || otherFile(w, words[i + 1])) ||
    (key === words.length - 1 && !words.some(w => /^--unset(?:-all)?$|^unset$/.test(w)));
  if (
    inline ||
    (config && key >= 0 && !reads) ||
    (config && words.some(w => /^--remove-section$|^remove-section$/.test(w)) && words.includes('core'))
  ) {
    return deny(RULE, 'git would be told to run other hooks than the configured ones.', 'leave core.hooksPath alone');
  }
  return null;
}
