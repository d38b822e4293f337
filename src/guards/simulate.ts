/** A file's content after a tool's change: the result is judged, never the new string alone. */
import type { Change, Edit } from '../event.ts';

/**
 * `before` is null for a file that does not exist. An edit whose old text is absent will be refused by the tool
 * itself; its new text is appended, so that a claim in it is still seen.
 */
export function simulate(before: string | null, change: Change): string {
  switch (change.kind) {
    case 'whole':
      return change.text;
    case 'edits':
      return change.edits.reduce(applyEdit, before ?? '');
    case 'cell':
      return before === null || before === '' ? change.source : applyCell(before, change);
  }
}

function applyEdit(text: string, edit: Edit): string {
  if (edit.old === '') return text === '' ? edit.new : `${text}\n${edit.new}`;
  const crlf = text.includes('\r\n') && !edit.old.includes('\r\n') && !text.includes(edit.old);
  const old = crlf ? edit.old.replace(/\n/g, '\r\n') : edit.old;
  if (!text.includes(old)) return `${text}\n${edit.new}`;
  return edit.all ? text.split(old).join(edit.new) : text.replace(old, () => edit.new);
}

/** Prose of a notebook: the sources of its cells with the edited one replaced. */
function applyCell(before: string, change: Extract<Change, { kind: 'cell' }>): string {
  let cells: unknown;
  try {
    cells = (JSON.parse(before) as { cells?: unknown }).cells;
  } catch {
    return `${before}\n${change.source}`;
  }
  if (!Array.isArray(cells)) return change.source;
  const sources = cells.map(cell => {
    const c = cell as { id?: unknown; source?: unknown };
    const source = Array.isArray(c.source) ? c.source.join('') : typeof c.source === 'string' ? c.source : '';
    return { id: c.id, source };
  });
  const at = sources.findIndex(c => c.id === change.cell);
  if (change.mode === 'delete') sources.splice(at, at < 0 ? 0 : 1);
  else if (change.mode === 'insert' || at < 0) sources.splice(at + 1, 0, { id: undefined, source: change.source });
  else sources[at] = { id: change.cell, source: change.source };
  return sources.map(c => c.source).join('\n\n');
}

/** The prose of a notebook file as it stands, to compare with. */
export function notebookText(text: string): string {
  return applyCell(text, { kind: 'cell', source: '', mode: 'delete' });
}
