// Preloaded into the server: writes its memory after a garbage collection as a line every two seconds.
import { appendFileSync } from 'node:fs';

/** One line: bytes, and the time in ms since the start of the probe. */
export interface MemoryLine {
  readonly at: number;
  readonly heap: number;
  readonly rss: number;
}

const file = process.env['BENCH_MEMORY_FILE'];
if (file !== undefined) {
  setInterval(() => {
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    const line: MemoryLine = { at: performance.now(), heap: heapUsed + external, rss };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }, 2000).unref();
}
