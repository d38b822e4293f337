export type RustPanic = { index: number; message: string };

const OLD = /^thread '(.+)' panicked at '(.*)', \S+:\d+:\d+$/;
const OLD_OPEN = /^thread '(.+)' panicked at '(.*)$/;
const NEW = /^\s*thread '(.+)' (?:\(\d+\) )?panicked at \S.*:\d+:\d+:$/;
const BLOCK = /^---- (\S.*) stdout ----$/;

/** The message of each test's last panic; threads carry the test's name, else the block that it is shown in does. */
export function readPanics(lines: string[]): Map<string, RustPanic> {
  const found = new Map<string, RustPanic>();
  let block: string | null = null;
  lines.forEach((line, i) => {
    const open = line.startsWith('----') ? BLOCK.exec(line) : null;
    if (open) block = open[1] ?? null;
    else if (line === 'failures:') block = null;
    if (block !== null && /^note: test did not panic as expected/.test(line)) {
      found.set(block, { index: i, message: 'assertion failed: test did not panic as expected' });
    } else if (block !== null && line.startsWith('note: panic did not contain expected string')) {
      found.set(block, { index: i, message: line });
    } else if (block !== null && /^Error: /.test(line)) found.set(block, { index: i, message: line });
    else if (block !== null && /^error(?:\[E\d+\])?: /.test(line)) found.set(block, { index: i, message: line });
    if (!line.includes('panicked at ')) return;
    const fresh = NEW.exec(line);
    const old = fresh ? null : (OLD.exec(line) ?? OLD_OPEN.exec(line));
    if (!fresh && !old) return;
    const thread = (fresh ?? old)?.[1] ?? '';
    const message = fresh ? (lines[i + 1] ?? '') : (old?.[2] ?? '');
    const names = block === null || block === thread ? [thread] : [block];
    for (const name of names) if (!found.has(name)) found.set(name, { index: i, message });
  });
  return found;
}

/** `assert!`, `assert_eq!` and their kin; a plain `panic!`, `unwrap` or `expect` did not look at a value. */
export function isRustAssertion(message: string): boolean {
  return /^(?:assertion (?:`[^`]*` )?failed|snapshot assertion |note: panic did not contain expected string)/.test(
    message,
  );
}
