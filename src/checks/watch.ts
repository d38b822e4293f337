/** Runners that wait for changes instead of ending: they say so in their last lines (field report 20). */
const WAITING =
  /waiting for file changes|watch usage\b|press (?:h|q|a|f|p|enter)\b.* to (?:show help|quit|run|trigger|filter)|ran all test suites related to changed files\.\s*watch|\[nodemon\] (?:clean exit|app crashed) - waiting|no tests? found related to files changed|watching for (?:file )?changes|tests will re-?run/i;

export function waitsForChanges(tail: string): boolean {
  const lines = tail
    .replace(/\u001b\[[\d;?]*[ -/]*[@-~]/g, '')
    .trimEnd()
    .split(/\r?\n|\r/);
  return WAITING.test(lines.slice(-12).join('\n'));
}
