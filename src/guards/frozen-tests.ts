/** Tests that red evidence has proven stay as they are, by every route a reading can see (seed 000 "Red evidence"). */
import { globBase, matchAny, matchGlob } from '../config/glob.ts';
import { ALLOW, type Decision, deny } from '../event.ts';
import { type Guard, relNames, type Touch, takesFolder, type View } from './guard.ts';

const RULE = 'frozen-tests';
const CURE = 'change the code; a human opens a wrong test with `/touchstone thaw <path> <reason>`';
/** Caches that tools leave beside tests. */
const CACHE = /(?:^|\/)(?:__pycache__|\.pytest_cache|\.cache|node_modules|\.nyc_output)(?:\/|$)|\.pyc$/;

export const frozenTests: Guard = {
  name: RULE,
  judge(event, view) {
    if (event.kind !== 'pre-tool' || !event.call) return ALLOW;
    const trace = view.frozen();
    if (trace === null) return ALLOW;
    const fold = view.foldsCase();
    const frozen = (rel: string) =>
      !CACHE.test(rel) && matchAny(trace.patterns, rel, fold) !== null && matchAny(trace.thawed, rel, fold) === null;
    for (const touch of view.touches()) {
      const path = reached(touch, view, frozen);
      if (path !== null) return refusal(touch, path);
    }
    for (const { pattern, via, op } of view.globs()) {
      const path = matched(pattern, view, frozen);
      if (path !== null) return refusal({ op, via }, path);
    }
    const named = view.opaque().find(text => trace.patterns.some(pattern => mentions(text, pattern)));
    if (named !== undefined)
      return deny(
        RULE,
        'the command names frozen tests and could not be read to its end.',
        'split it into simple commands',
      );
    return again(view);
  },
};

function refusal(touch: Pick<Touch, 'op' | 'via'>, path: string): Decision {
  const words = {
    write: 'write',
    create: 'add',
    delete: 'delete',
    rename: 'move',
    mode: 'change the mode of',
    link: 'link over',
  };
  return deny(RULE, `${touch.via} would ${words[touch.op]} ${path}, which is frozen.`, CURE);
}

/** The frozen path a touch reaches: itself, something below it, or a file it is another name of. */
function reached(touch: Touch, view: View, frozen: (rel: string) => boolean): string | null {
  for (const rel of relNames(touch, view)) {
    if (rel !== '' && frozen(rel)) return touch.via === 'mkdir' && view.isFolder(touch.at.abs) ? null : rel;
    if ((takesFolder(touch) || touch.op === 'delete') && view.isFolder(touch.at.abs)) {
      const below = view.below(rel, frozen);
      if (below !== null) return below;
    }
  }
  return touch.op === 'delete' || touch.op === 'rename' ? null : view.hardLinked(touch.at.abs, frozen);
}

/** A frozen file that a pattern of the command covers now. */
function matched(pattern: string, view: View, frozen: (rel: string) => boolean): string | null {
  const inside = view.locate(globBase(pattern.slice(1)) === '' ? '/' : `/${globBase(pattern.slice(1))}`).rel;
  const glob = view.root === '/' ? pattern.slice(1) : pattern.slice(view.root.length + 1);
  if (inside === null || !pattern.startsWith(`${view.root}/`)) return null;
  return view.below(inside, rel => frozen(rel) && matchGlob(glob, rel));
}

/** Text that was not understood counts only where it names what the pattern covers. */
function mentions(text: string, pattern: string): boolean {
  const base = globBase(pattern);
  if (base !== '') return text.includes(`${base}/`) || text.includes(base);
  const suffix = /\*([\w.-]{3,})$/.exec(pattern)?.[1];
  return suffix !== undefined && text.includes(suffix);
}

/** A path refused in this turn stays refused: a script that is handed its name is taken to be another route. */
function again(view: View): Decision {
  const refused = view.refused();
  const reading = refused.length > 0 ? view.reading() : null;
  for (const { argv } of reading?.invocations ?? []) {
    const [program = '', ...args] = argv;
    const interpreter = /(?:^|\/)(?:python[\d.]*|node|ruby|perl|php|bash|sh|deno|bun|tsx|lua)$/.test(program);
    // Code given inline was read; only what it takes from its arguments was not.
    const code = interpreter ? args.findIndex(a => /^-\w*[ce]$|^--(?:eval|print)$/.test(a)) : -1;
    if (code >= 0 && !/argv|\$[@*1-9]/i.test(args[code + 1] ?? '')) continue;
    const script =
      /^\.{0,2}\//.test(program) || (interpreter && args.some(a => /\.\w+$/.test(a) && !a.startsWith('-')));
    if (!script || /test|spec|jest|vitest|mocha|pytest/i.test(interpreter ? (args[0] ?? '') : program)) continue;
    const path = refused.find(p => args.some((a, i) => (i > 0 || !interpreter) && (a === p || a.endsWith(`/${p}`))));
    if (path !== undefined) return deny(RULE, `${program} is handed ${path}, which was refused in this turn.`, CURE);
  }
  return ALLOW;
}
