/** What the pre-tool-use hook loads when a call touches a report, settings, runner configuration or a test, or is refused. Bundled as dist/rules.cjs. */
export { unprovenClaim } from './guards/artifact-claim.ts';
export { nestedAgent } from './guards/nested-agent.ts';
export { weakening } from './guards/settings-change.ts';
export { weakerTests } from './guards/weaker-tests.ts';
export { writerWords } from './guards/writer-words.ts';
export { standing } from './verdict/standing.ts';
