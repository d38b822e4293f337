/** What only a human may do is refused through the agent, whichever way our own command line is reached. */
import { ALLOW, type Decision, deny } from '../event.ts';
import type { Guard, View } from './guard.ts';

const RULE = 'human-verbs';

/** First words of a human's verbs; a function says when the verb is one. */
const HUMAN: { words: string[]; when?: (view: View) => boolean; why: string }[] = [
  { words: ['uninstall'], why: 'takes the hooks away' },
  { words: ['init'], when: view => view.hookScripts().some(isOurs), why: 'rewrites the wiring that is in force' },
  { words: ['config', 'accept'], why: 'accepts changed rules' },
  { words: ['stage', 'answer'], why: 'answers for the user' },
  { words: ['plan', 'rebind'], why: 'adopts a changed plan' },
  { words: ['thaw'], why: 'opens frozen tests' },
  { words: ['allow'], why: 'lets a refused edit through' },
  { words: ['accept'], why: 'accepts work without proof' },
  { words: ['marker', 'clear', 'halt'], why: 'clears a halt' },
];

export const humanVerbs: Guard = {
  name: RULE,
  judge(event, view) {
    if (event.kind !== 'pre-tool' || event.call?.command === undefined) return ALLOW;
    for (const { argv } of view.reading()?.invocations ?? []) {
      const words = ownWords(argv);
      if (words === null) continue;
      const refused = humanVerb(words, view);
      if (refused) return refused;
    }
    return ALLOW;
  },
};

function humanVerb(words: string[], view: View): Decision | null {
  if (words.includes('--help') || words.includes('-h')) return null;
  const verbs = words.filter(w => !w.startsWith('-'));
  const rule = HUMAN.find(h => h.words.every((w, i) => verbs[i] === w) && (h.when?.(view) ?? true));
  return rule
    ? deny(
        RULE,
        `\`touchstone ${rule.words.join(' ')}\` ${rule.why}: that is a human's act.`,
        'ask the user to run it in their own terminal',
      )
    : null;
}

/** The arguments given to our command line, or null when the program is another one. */
function ownWords(argv: readonly string[]): string[] | null {
  const at = argv.findIndex(isOurs);
  if (at < 0 || at > 4) return null;
  // `git log -- touchstone`, `grep touchstone x`: the name must stand where a program or a script does.
  const lead = argv.slice(0, at).map(w => w.slice(w.lastIndexOf('/') + 1));
  const runs = lead.every(
    (w, i) =>
      /^(?:node|nodejs|bun|deno|tsx|npx|pnpx|bunx|pnpm|npm|yarn|exec|dlx|x|run|--?[\w=-]+)$/.test(w) &&
      (i > 0 || !w.startsWith('-')),
  );
  if (!runs) return null;
  if (argv[at]!.endsWith('install.sh')) return ['init'];
  return argv.slice(at + 1).filter(w => w !== '--');
}

function isOurs(word: string): boolean {
  return /(?:^|\/)touchstone(?:@[\w.-]+)?$|(?:^|\/)dist\/cli\.[cm]js$|(?:^|\/)touchstone\/(?:.*\/)?(?:dist\/|install\.sh$)|\/dist\/hooks\/[\w-]+\.cjs$/.test(
    word,
  );
}
