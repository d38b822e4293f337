/** What hooks load on need when the files alone do not answer: git, the session's record. Bundled as dist/engine.cjs. */
export { judgeReading } from './delivery/judge.ts';
export { openAllowed } from './gates/allow.ts';
export { dispatched } from './gates/dispatch.ts';
export { promptSubmitted } from './gates/prompt.ts';
export { findSession, updateSession } from './gates/session.ts';
export { sessionStart } from './gates/session-start.ts';
export { openLate, openTurn, sessionBegan, sessionEnded } from './runs/turns.ts';
export { outOfScope } from './stages/open.ts';
export { freshness } from './verdict/freshness.ts';
