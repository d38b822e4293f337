import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { type Group, group, HOOKS, hookTable, type Launcher, ownSpec } from '../config/hook-table.ts';
import { isObject, shapeFault } from '../config/settings-shape.ts';
import { InstallError } from './error.ts';
import {
  applyInsertions,
  type Insertion,
  insertMembers,
  layoutOf,
  removeMember,
  type Span,
  tree,
} from './json-splice.ts';

export type Merged = {
  text: string;
  /** What was put in; taking these out again gives the text before, byte for byte. */
  spans: Span[];
  /** The client reads strict JSON only: with a comment in it the file does not count until the comment goes. */
  strict: boolean;
};

/** Do the settings hold exactly the entries we would write, once each, whatever stands beside them? */
export function isWired(text: string, from: Launcher): boolean {
  const found = ownEntries(text);
  const wanted = HOOKS.map(spec => ({ event: spec.event, group: group(spec, from) }));
  return (
    found.length === wanted.length &&
    wanted.every(w => found.some(f => f.event === w.event && JSON.stringify(f.group) === JSON.stringify(w.group)))
  );
}

export type OwnEntry = { event: string; file: string; group: Group };

/** Our entries in a settings text, each with its group cut down to the one handler. */
export function ownEntries(text: string): OwnEntry[] {
  const root = tree(text);
  const settings: unknown = root ? getNodeValue(root) : undefined;
  if (!isObject(settings) || !isObject(settings.hooks)) return [];
  const found: OwnEntry[] = [];
  for (const [event, groups] of Object.entries(settings.hooks)) {
    for (const entry of Array.isArray(groups) ? groups : []) {
      if (!isObject(entry) || !Array.isArray(entry.hooks)) continue;
      for (const handler of entry.hooks) {
        const spec = ownSpec(event, handler);
        if (spec) found.push({ event, file: spec.file, group: { ...entry, hooks: [handler] } as Group });
      }
    }
  }
  return found;
}

/** Adds our entries to a text that has none. An empty text becomes a file of ours. */
export function mergeHooks(text: string, from: Launcher, path: string): Merged {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  if (text.slice(bom).trim() === '') {
    const added = `${JSON.stringify({ hooks: hookTable(from) }, null, 2)}\n`;
    return { ...applyInsertions(text, [{ at: bom, text: added }]), strict: true };
  }
  const { root, strict } = parse(text, path);
  refuseShape(getNodeValue(root), path);
  refuseDoubles(root, path);

  const layout = layoutOf(text, root);
  const hooks = property(root, 'hooks');
  let insertions: Insertion[];
  if (!hooks) {
    insertions = insertMembers(text, root, [{ key: 'hooks', value: hookTable(from) }], layout);
  } else {
    refuseDoubles(hooks, path);
    const missing: { key: string; value: Group[] }[] = [];
    insertions = [];
    for (const spec of HOOKS) {
      const list = property(hooks, spec.event);
      if (!list) missing.push({ key: spec.event, value: [group(spec, from)] });
      else if (list.type === 'array')
        insertions.push(...insertMembers(text, list, [{ value: group(spec, from) }], layout));
      else {
        throw new InstallError(
          'settings-shape',
          `${path}: "hooks.${spec.event}" is not a list. Correct it and run again.`,
        );
      }
    }
    if (missing.length) insertions.push(...insertMembers(text, hooks, missing, layout));
  }
  const done = applyInsertions(text, insertions);
  return { ...done, strict };
}

/**
 * Takes our entries out, and the groups, lists and the `hooks` object that they leave empty. What the user wrote stays.
 */
export function stripHooks(text: string): string {
  let now = text;
  for (;;) {
    const next = stripOne(now);
    if (next === undefined) return now;
    now = next;
  }
}

function stripOne(text: string): string | undefined {
  const root = tree(text);
  const hooks = root && property(root, 'hooks');
  if (!root || hooks?.type !== 'object') return undefined;
  const lists = hooks.children ?? [];
  const own = (list: Node, entry: Node): boolean => {
    const inner = property(entry, 'hooks');
    return (inner?.children ?? []).some(h => ownSpec(keyOf(list), getNodeValue(h)) !== undefined);
  };
  for (const [l, list] of lists.entries()) {
    const value = list.children?.[1];
    if (value?.type !== 'array') continue;
    const groups = value.children ?? [];
    const g = groups.findIndex(entry => own(list, entry));
    const entry = groups[g];
    if (!entry) continue;
    const inner = property(entry, 'hooks') as Node;
    const handlers = inner.children ?? [];
    if (handlers.length > 1) {
      return removeMember(
        text,
        inner,
        handlers.findIndex(h => ownSpec(keyOf(list), getNodeValue(h)) !== undefined),
      );
    }
    if (groups.length > 1) return removeMember(text, value, g);
    if (lists.length > 1) return removeMember(text, hooks, l);
    return removeMember(
      text,
      root,
      (root.children ?? []).findIndex(p => p.children?.[1] === hooks),
    );
  }
  return undefined;
}

/** The client would drop such a file whole, and our hooks with it. */
function refuseShape(settings: unknown, path: string): void {
  const fault = shapeFault(settings);
  if (fault) {
    throw new InstallError(
      'settings-shape',
      `${path}: ${fault}; the client would drop the whole file. Correct it and run again.`,
    );
  }
}

function parse(text: string, path: string): { root: Node; strict: boolean } {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first || !root) {
    const line = text.slice(0, first?.offset ?? 0).split('\n').length;
    const what = first ? printParseErrorCode(first.error) : 'nothing to read';
    throw new InstallError('settings-unparsable', `${path}:${line}: not JSON (${what}). Correct it and run again.`);
  }
  let strict = true;
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    strict = false;
  }
  return { root, strict };
}

/** With a key written twice the client reads the last, an editor sees the first: no edit of ours would be sure to count. */
function refuseDoubles(object: Node, path: string): void {
  const keys = (object.children ?? []).map(keyOf);
  const ours = new Set(['hooks', 'disableAllHooks', ...HOOKS.map(h => h.event)]);
  const double = keys.find((key, i) => ours.has(key) && keys.indexOf(key) !== i);
  if (double) {
    throw new InstallError(
      'settings-shape',
      `${path}: the key "${double}" stands there twice. Keep one and run again.`,
    );
  }
}

function keyOf(prop: Node): string {
  return String(prop.children?.[0]?.value);
}

function property(object: Node, key: string): Node | undefined {
  if (object.type !== 'object') return undefined;
  return object.children?.find(prop => keyOf(prop) === key)?.children?.[1];
}
