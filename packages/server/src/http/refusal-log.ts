/** Interval of the lines, in ms. */
const EVERY_MS = 1_000;

/** A refused request, with fields that say whose it was. */
export interface Refused extends Readonly<Record<string, string>> {
  readonly req_id: string;
}

/**
 * Logs the requests that are refused before Express gets them: the first one at once, then one line a second with their
 * number and the last of them. A line for each would slow down the process when it is flooded.
 */
export function createRefusalLog(write: (fields: object) => void): { add(refused: Refused): void } {
  let timer: NodeJS.Timeout | undefined;
  let unlogged = 0;
  let last: Refused | undefined;

  function writeLine(): void {
    write({ ...last, refused: unlogged });
    unlogged = 0;
    timer = setTimeout(() => {
      timer = undefined;
      if (unlogged > 0) writeLine();
    }, EVERY_MS).unref();
  }

  return {
    add(refused) {
      last = refused;
      unlogged++;
      if (!timer) writeLine();
    },
  };
}
