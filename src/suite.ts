/** What hooks load when a run of the suite is at stake: running it, reading its output. Bundled as dist/suite.cjs. */
export { observeCall } from './checks/observe.ts';
export { answerSubagent, stopGate } from './gates/stop.ts';
export { closeTurn } from './runs/turn-end.ts';
