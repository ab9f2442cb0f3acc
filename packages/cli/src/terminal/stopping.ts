import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Io } from './io.ts';

/** Why a listener ends that would go on for ever. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  /** The signal that asked for it; null when its work, or its command, was done. */
  readonly by: NodeJS.Signals | null;

  constructor(by: NodeJS.Signals | null) {
    super('The listener ends');
    this.by = by;
  }
}

/** The end of a listener, which anything may bring about. */
export interface Stopping {
  /** Aborted, with a {@link Stopped}, as soon as it is to end. */
  readonly signal: AbortSignal;
  stop(): void;
  /** Signals do again what they do by themselves. */
  release(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first signal asks for an orderly end; a second one ends the process at once. */
export function stopOnSignals(): Stopping {
  const controller = new AbortController();
  const release = (): void => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  const onSignal = (name: NodeJS.Signals): void => {
    release();
    controller.abort(new Stopped(name));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return { signal: controller.signal, stop: () => controller.abort(new Stopped(null)), release };
}

/**
 * Lets time go by.
 * @throws {@link Stopped} when the end comes first
 */
export async function pause({ wait }: Io, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const over = new AbortController();
  const stopped = once(signal, 'abort', { signal: over.signal });
  const waited = wait ? wait(ms) : sleep(ms, undefined, { signal: over.signal });
  try {
    await Promise.race([waited, stopped]);
  } finally {
    // Whichever of the two is left is of no interest any more.
    for (const one of [waited, stopped]) one.catch(() => undefined);
    over.abort();
  }
  signal.throwIfAborted();
}
