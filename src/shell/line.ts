/** Lines that hold no more than words, joints and redirections that write nothing: cut up without a grammar. */

const LONGEST = 4096;
/** A joint, a redirection to nowhere, or a word. What follows `$` in a word is a name and nothing more. */
const TOKEN =
  /[ \t]*(?:(&&|\|\||[|;\n])|(2>&1|[12&]?> ?\/dev\/null)(?![^\s;|&])|((?:[\w@%+:,./=^~*?[\]{}-]|\$(?=\w)|'[^'\n]*'|"(?:[^"$`\\!\n]|\$(?=\w))*")+))/y;
/** Means something other than itself outside of single quotes. */
const LOOSE = /[*?[\]{}$]|^~|[:=]~/;

export type LineToken = {
  pos: number;
  end: number;
  text: string;
} & (
  | { kind: 'joint' }
  | { kind: 'silence' }
  /** `value` without its quotes; `loose` where the shell makes something else of it. */
  | { kind: 'word'; value: string; loose: boolean }
);

/** The commands of a line and the joints between them; null where anything else stands in it. */
export function cutLine(text: string): { commands: LineToken[][]; joints: string[] } | null {
  if (text.length > LONGEST) return null;
  const commands: LineToken[][] = [[]];
  const joints: string[] = [];
  const length = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  for (let at = 0; at < length; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    if (!found) return null;
    const [, joint, silence, word] = found;
    const command = commands.at(-1)!;
    const here = { pos: TOKEN.lastIndex - (joint ?? silence ?? word)!.length, end: TOKEN.lastIndex };
    if (word !== undefined) {
      const value = word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2');
      const loose = LOOSE.test(word.replace(/'[^']*'|"[^"]*"/g, q => (/^".*\$/.test(q) ? '$' : 'q')));
      command.push({ ...here, kind: 'word', text: word, value, loose });
    } else if (silence !== undefined) {
      if (command.length === 0) return null;
      command.push({ ...here, kind: 'silence', text: silence });
    } else if (command.length > 0) {
      joints.push(joint!);
      commands.push([]);
      // A line may end after a joint, and begin with empty ones.
    } else if (joint !== '\n' || joints.length === 0) return null;
  }
  return commands.every(command => command[0]?.kind === 'word') ? { commands, joints } : null;
}
