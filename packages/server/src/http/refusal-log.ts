import type { Logger } from 'pino';

/** Interval of the lines, in ms. */
const EVERY_MS = 1_000;

/** A request that was refused because of overload. */
export interface Refused {
  readonly req_id: string;
  /** Name of the share whose queue is full: the id of a tenant, or a group of unknown callers. */
  readonly share: string;
}

/**
 * Logs the requests that are refused before the application: the first one at once, then one line a second with their
 * number and the last of them. A line for each would slow down the process when it is overloaded.
 */
export function createRefusalLog(log: Logger): { add(refused: Refused): void } {
  let timer: NodeJS.Timeout | undefined;
  let unlogged = 0;
  let last: Refused | undefined;

  function write(): void {
    log.warn({ ...last, refused: unlogged }, 'requests refused because of overload');
    unlogged = 0;
    timer = setTimeout(() => {
      timer = undefined;
      if (unlogged > 0) write();
    }, EVERY_MS).unref();
  }

  return {
    add(refused) {
      last = refused;
      unlogged++;
      if (!timer) write();
    },
  };
}
