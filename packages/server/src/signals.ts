import { constants } from 'node:os';
import type { Config } from './config/config.ts';
import { fail } from './fail.ts';
import type { LifeLog } from './ops/life-log.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Ends the process at a signal that arrives before it runs. As process 1 of a container it would ignore the signal. */
export function endOnSignal(): void {
  for (const signal of SIGNALS) process.on(signal, endAtOnce);
}

function endAtOnce(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}

/** Time for writes to the database after `PLAT_SHUTDOWN_SECONDS`, in ms. */
const LAST_WRITES_MS = 5_000;

/** Stops a running server or worker at a signal, then ends the process. */
export function stopOnSignal(running: { close(): Promise<void> }, { shutdownMs }: Config, life: LifeLog): void {
  let stopping = false;
  for (const signal of SIGNALS) {
    process.off(signal, endAtOnce);
    process.on(signal, () => {
      // A second signal ends the process at once.
      if (stopping) process.exit(1);
      stopping = true;
      life.stopping(signal);
      // A database that does not respond must not keep the process running: another process repeats unwritten work.
      setTimeout(cutOff, shutdownMs + LAST_WRITES_MS);
      running.close().then(
        () => {
          life.stopped();
          process.exit(0);
        },
        (error: unknown) => fail(error),
      );
    });
  }
}

function cutOff(): never {
  const late = LAST_WRITES_MS / 1000;
  process.stderr.write(
    `plat-server: stopped ${late} s after PLAT_SHUTDOWN_SECONDS; the database probably does not respond\n`,
  );
  process.exit(1);
}
