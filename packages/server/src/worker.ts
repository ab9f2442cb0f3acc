import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Database } from './db/database.ts';
import { openStore } from './open-store.ts';
import { createHealth, createHealthApp } from './ops/health.ts';
import { addressOf, listen } from './ops/http-server.ts';
import { createWork, type WorkOptions } from './work.ts';

export interface WorkerOptions extends Pick<WorkOptions, 'clock' | 'printMail'> {
  readonly log: Logger;
}

/** A process that does the work of servers which only answer. */
export interface RunningWorker {
  readonly db: Database;
  /** Where it answers `/livez` and `/readyz`; null when nowhere. */
  readonly healthUrl: string | null;
  /** Ends what is under way within the configured time, hands the rest over, then lets go of everything. */
  close(): Promise<void>;
}

/**
 * Opens the database, brings it up to date as a server does, and sends what is due, whatever `webhooks.dispatch` says.
 * @throws StartError, DatabaseUnusableError: one line each, for the operator.
 */
export async function startWorker(config: Config, options: WorkerOptions): Promise<RunningWorker> {
  const { log, clock, printMail } = options;
  const { host, workerPort, shutdownMs, writeTimeoutMs } = config;
  const store = await openStore(config);
  const { db } = store;
  try {
    const sends = { ...config, webhooks: { ...config.webhooks, dispatch: true } };
    const work = await createWork(sends, { ...store, log, clock, printMail });
    const health = createHealth(db);
    const http =
      workerPort === null
        ? null
        : await listen(createHealthApp(health, log), {
            ...{ host, port: workerPort, setting: 'PLAT_WORKER_PORT' },
            writeTimeoutMs,
          });
    work.start();
    return {
      db,
      healthUrl: http && addressOf(host, http.port),
      async close() {
        health.stopping();
        // Its health is answered until it has ended: a probe that is refused would have it killed meanwhile.
        await work.stop();
        await http?.close(shutdownMs);
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}
