// Loaded into the server before it starts: writes a line on its memory every two seconds, after a collection.
import { appendFileSync } from 'node:fs';

/** One line: bytes, and the time in ms since the probe began. */
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
