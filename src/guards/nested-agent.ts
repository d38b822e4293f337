/** An agent started by the agent, with its hooks off. Loaded only where a command names one. */
import type { Invocation } from '../shell/effect.ts';
import type { View } from './guard.ts';

const AGENT = /^(?:claude|claude-code|@anthropic-ai\/claude-code(?:@.*)?)$/;

/** What the refusal says, or null. */
export function nestedAgent({ argv, cwd }: Invocation, view: View): string | null {
  const lead = argv.findIndex(w => AGENT.test(w.slice(w.startsWith('@') ? 0 : w.lastIndexOf('/') + 1)));
  if (lead < 0 || !argv.slice(0, lead).every(w => /^(?:npx|bunx|pnpm|yarn|dlx|exec|node|-y|--yes)$/.test(w)))
    return null;
  const args = argv
    .slice(lead + 1)
    .flatMap(w => (/^--[\w-]+=/.test(w) ? [w.slice(0, w.indexOf('=')), w.slice(w.indexOf('=') + 1)] : [w]));
  const verbs = args.filter(w => !w.startsWith('-'));
  if (
    verbs[0] === 'config' &&
    /^(?:set|add|remove|rm|unset)$/.test(verbs[1] ?? '') &&
    /^(?:disableAllHooks|hooks\b)/.test(verbs[2] ?? '')
  )
    return `claude config ${verbs[1]} ${verbs[2]} changes which hooks run`;
  for (let i = 0; i < args.length; i++) {
    const next = args[i + 1] ?? '';
    if (args[i] === '--bare' || args[i] === '--safe-mode') return `${args[i]} starts an agent without hooks`;
    if (args[i] === '--setting-sources' && !next.split(',').includes('project'))
      return "--setting-sources starts an agent without the project's hooks";
    if (args[i] === '--settings') {
      const text = next.trimStart().startsWith('{')
        ? next
        : view.read(view.locate(next.startsWith('/') ? next : `${cwd}/${next}`).real);
      if (text !== null && /"disableAllHooks"\s*:\s*true/.test(text))
        return 'disableAllHooks starts an agent without hooks';
    }
  }
  return null;
}
