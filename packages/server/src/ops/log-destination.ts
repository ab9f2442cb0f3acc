import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { count } from '../kernel/meter.ts';

/** Maximum size of the lines that wait, in UTF-16 code units. Further lines are dropped. */
const MAX_WAITING = 1024 * 1024;
/** Maximum size of one write. */
const MAX_CHUNK = 64 * 1024;
/** Interval of attempts while the destination takes nothing, in ms. */
const RETRY_MS = 100;
/** Time for the last lines when the process exits, in ms. */
const EXIT_MS = 500;

/** Receives log lines. */
export interface LogDestination {
  write(line: string): void;
}

/**
 * Writes log lines to a file descriptor without waiting for it. Lines are dropped while the destination is full or
 * slow, and counted. The process neither stops nor ends because of its log.
 * @param onDropped called with the number of dropped lines once the destination takes lines again
 */
export function createLogDestination(given: number, onDropped: (lines: number) => void): LogDestination {
  const fd = withoutBlocking(given);
  let waiting: string[] = [];
  let size = 0;
  let dropped = 0;
  let chunk: Buffer = Buffer.alloc(0);
  let isWriting = false;
  /** Bytes of the chunk that a thread of the pool writes. Node waits for it before it exits. */
  let inFlight = 0;

  process.on('exit', flush);
  return {
    write(line) {
      if (size + line.length > MAX_WAITING) {
        dropped++;
        count('plat_log_dropped_total', {});
        return;
      }
      waiting.push(line);
      size += line.length;
      if (!isWriting) next();
    },
  };

  function next(): void {
    if (chunk.length === 0) chunk = take();
    isWriting = chunk.length > 0;
    inFlight = Math.min(chunk.length, MAX_CHUNK);
    if (isWriting) write(fd, chunk, 0, inFlight, null, written);
  }

  function written(error: Error | null, bytes: number): void {
    inFlight = 0;
    if (error) {
      setTimeout(next, RETRY_MS).unref();
      return;
    }
    chunk = chunk.subarray(bytes);
    const missing = dropped;
    dropped = 0;
    next();
    if (missing > 0) onDropped(missing);
  }

  function take(): Buffer {
    const lines = waiting;
    waiting = [];
    size = 0;
    return Buffer.from(lines.join(''));
  }

  function flush(): void {
    const deadline = performance.now() + EXIT_MS;
    let rest = Buffer.concat([chunk.subarray(inFlight), take()]);
    while (rest.length > 0 && performance.now() < deadline) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if (!isBusy(error)) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
  }
}

/**
 * Returns a descriptor whose writes fail while a pipe is full. Otherwise a write occupies a thread of the pool until the
 * reader continues. The given descriptor is unchanged, because other processes may share it.
 */
function withoutBlocking(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // Without /proc, or without standard output: a service on Windows may have none.
    return fd;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
