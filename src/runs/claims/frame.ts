import { namedCheck } from './table.ts';
import type { ClaimKind } from './types.ts';

/** What a heading or a line ending in a colon makes of what stands below it. */
export type Frame = { closed: boolean; trial: boolean; kind?: ClaimKind };

const TRIAL =
  /\b(?:i|we)(?: have|'ve)? (?:then |also )?(?:checked|tested|tried|verified|clicked|exercised|confirmed|walked)\b|^(?:manually )?(?:verified|checked|tested|tried|confirmed|exercised)\b|\bmanual(?:ly)? (?:tests?|checks?|verification|run|tested|checked)\b|^(?:smoke|hand) (?:test|check)/i;
const CLOSED =
  /\b(?:next|todo|to-do|to do|please|how to|to (?:verify|test|check|run|confirm|reproduce|review)|steps to|still|remaining|pending|outstanding|expect(?:ed|ation|ations)?|checklist|acceptance|criteria|definition of done|propos(?:ed|al)|suggest\w*|draft|commit message|pr (?:body|title)|goals?|plan|planned|to be (?:filled|done|run)|requirements?|before (?:you )?merg\w*|you (?:can|should|could|may|might|will|need)|should|would|will|must|follow-?ups?|instructions|template|example|fixture|shall|blocked|left to do|when done|done when|needs?|missing|later|from the (?:issue|ticket)|the (?:issue|ticket|docs|readme) (?:says|lists)|steps for|(?:verification|tests?|testing|qa|reproduction|manual) steps|what to|for you|ideally|wanted|target state|if |options?|roadmap|milestones?|backlog|timeline|rules|policy|legend|meanings?|(?:exit |return |status |error )?(?:codes|colou?rs|states|values|levels|flags|icons|symbols|statuses|strings|labels|keys|columns)$|what (?:the|each|a) [\w ]+ (?:does|do|means)|how (?:the|it|this) [\w ]*works)\b|待办|未确认|未确认|未验证|下一步|待确认|後で|未確認|次の|残り|今後|남은|미확인|다음|할 일|pendiente|por hacer|próximos|sin verificar|offen|nicht geprüft|noch zu|nächste|à faire|reste à|non vérifié|prochaine|da fare|da verificare|non verificat|prossim|pendente|a fazer|não verificad|próxim|осталось|не проверен|следующ|дальше|nog te|niet getest|volgende|do zrobienia|następn|niezweryfikowan|yapılacak|sonraki|doğrulanmadı|^(?:open(?: points| questions| items| issues)?|not |un(?:verified|tested|checked)|known|offen|to verify|test plan|your turn)/i;

export function frameOf(text: string): Frame {
  const line = text.replace(/[*_`#:]/g, ' ').trim();
  if (TRIAL.test(line) && !/^(?:not|un)\b/i.test(line)) return { closed: false, trial: true };
  const closed = CLOSED.test(line) && !/\b(?:i|we) (?:ran|did|have run)\b/i.test(line);
  return { closed, trial: false, kind: closed ? undefined : namedCheck(line) };
}
