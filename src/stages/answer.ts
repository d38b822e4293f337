/** A stage that asked waits for its answer; nothing else of the task goes on meanwhile. */
import { redact } from '../redact/redact.ts';
import { alone } from './alone.ts';
import { demandBound } from './bind.ts';
import { StageError } from './error.ts';
import { lastWord } from './says.ts';
import { demandTask, type TaskState, writeTask } from './task-state.ts';

export function demandNoQuestion(task: TaskState): void {
  if (task.pending === null) return;
  throw new StageError(
    'needs-input',
    `This run needs input; use answer with the requested response: ${task.pending.question} (touchstone stage answer)`,
  );
}

/** A message that asks or gives up finishes nothing: it is kept, and nothing is judged. */
export function heed(root: string, task: TaskState, stage: string, summary: string | null): void {
  const said = summary === null ? null : lastWord(summary);
  if (said === null || said.status === 'complete') return;
  const at = new Date().toISOString();
  const text = redact(said.status === 'needs_input' ? said.question : said.reason)
    .replace(/\s+/g, ' ')
    .trim();
  if (said.status === 'needs_input') task.pending = { stage, question: text, at };
  const failure = `${said.status}: ${text}`;
  task.attempts.push({
    stage,
    at,
    summary: redact(summary ?? ''),
    record: null,
    passed: false,
    reused: false,
    failure,
  });
  writeTask(root, task);
  demandNoQuestion(task);
  throw new StageError('blocked', `stage finish: the agent says that ${stage} is blocked: ${text}; nothing was judged`);
}

export function answerStage(root: string, answer: string): Promise<{ stage: string; question: string }> {
  return alone(root, () => {
    const { plan } = demandBound(root);
    const task = demandTask(root, plan);
    if (task.pending === null) throw new StageError('no-question', 'There is no pending input session to answer');
    if (answer.trim() === '') throw new StageError('no-answer', 'stage answer: the answer is empty; write it');
    const { stage, question } = task.pending;
    task.answers.push({ stage, question, answer: redact(answer), at: new Date().toISOString() });
    task.pending = null;
    writeTask(root, task);
    return { stage, question };
  });
}
