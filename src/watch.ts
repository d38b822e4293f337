/** What hooks load after a call that could write. Bundled as dist/watch.cjs. */
export { checkWatched, sayFindings } from './gates/watch.ts';
