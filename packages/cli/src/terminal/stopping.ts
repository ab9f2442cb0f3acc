import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Io } from './io.ts';

/** Reason of the end of an endless command. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  /** The signal that ended it; null when its work or its child command was done. */
  readonly by: NodeJS.Signals | null;

  constructor(by: NodeJS.Signals | null) {
    super('The listener ends');
    this.by = by;
  }
}

/** Controls the end of a long command. */
export interface Stopping {
  /** Aborts with a {@link Stopped} when the command must end. */
  readonly signal: AbortSignal;
  stop(): void;
  /** Restores the default behaviour of signals. */
  release(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Starts an orderly end on the first of these signals. A second one ends the process at once. */
export function stopOnSignals(names: readonly NodeJS.Signals[] = SIGNALS): Stopping {
  const controller = new AbortController();
  const release = (): void => {
    for (const name of names) process.off(name, onSignal);
  };
  const onSignal = (name: NodeJS.Signals): void => {
    release();
    controller.abort(new Stopped(name));
  };
  for (const name of names) process.on(name, onSignal);
  return { signal: controller.signal, stop: () => controller.abort(new Stopped(null)), release };
}

/**
 * Waits for the given milliseconds.
 * @throws {@link Stopped} when the command ends first
 */
export async function pause({ wait }: Io, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const over = new AbortController();
  const stopped = once(signal, 'abort', { signal: over.signal });
  const waited = wait ? wait(ms) : sleep(ms, undefined, { signal: over.signal });
  try {
    await Promise.race([waited, stopped]);
  } finally {
    // The other promise is ignored.
    for (const one of [waited, stopped]) one.catch(() => undefined);
    over.abort();
  }
  signal.throwIfAborted();
}
