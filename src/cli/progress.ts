/** A single live line on a terminal: elapsed time and the last line of output. Silent everywhere else. */
import { stripVTControlCharacters } from 'node:util';

export type Progress = { show(line: string): void; end(): void };

export function progress(stream: NodeJS.WriteStream, label: string): Progress {
  if (!stream.isTTY) return { show: () => {}, end: () => {} };
  const start = Date.now();
  let last = '';
  const draw = () => {
    const head = `${label} ${elapsed(Date.now() - start)}  `;
    const room = Math.max(0, (stream.columns || 80) - head.length - 1);
    stream.write(`\r\u001b[2K${head}${[...last].slice(0, room).join('')}`);
  };
  const timer = setInterval(draw, 200);
  timer.unref();
  return {
    show(line) {
      last = stripVTControlCharacters(line).replace(/[\u0000-\u001f\u007f]/g, ' ');
    },
    end() {
      clearInterval(timer);
      stream.write('\r\u001b[2K');
    },
  };
}

export function elapsed(ms: number): string {
  const s = Math.floor(ms / 1000);
  return s < 60 ? `${s}s` : `${Math.floor(s / 60)}m${String(s % 60).padStart(2, '0')}s`;
}
