import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { addressOf } from './config/public-address.ts';
import type { Database } from './db/database.ts';
import { startOrClose } from './kernel/closers.ts';
import { openStore } from './open-store.ts';
import { createHealth, createHealthApp } from './ops/health.ts';
import { listen } from './ops/http-server.ts';
import { observeProcess } from './ops/observe-process.ts';
import { createWork, type WorkOptions } from './work.ts';

export interface WorkerOptions extends Pick<WorkOptions, 'clock' | 'printMail'> {
  readonly log: Logger;
  /** True: migrates the database in any case. */
  readonly migrates?: boolean;
}

/** A process that does background work and serves no API. */
export interface RunningWorker {
  /** False when a readiness check failed at the start. The log has the reason. */
  readonly isReady: boolean;
  readonly db: Database;
  /** Address of `/livez` and `/readyz`; null when they are not served. */
  readonly healthUrl: string | null;
  /** Address of `/metrics` and `/version`; null when they are not served. */
  readonly managementUrl: string | null;
  /** Waits for work in flight within the configured time, then closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the database, and starts the background work. `webhooks.dispatch` is ignored.
 * @throws StartError, DatabaseUnusableError: one line each, for the operator.
 */
export async function startWorker(config: Config, options: WorkerOptions): Promise<RunningWorker> {
  return startOrClose(async (closers) => {
    const { log, clock, printMail } = options;
    const { host, workerPort, shutdownMs, writeTimeoutMs } = config;
    const observation = await observeProcess(config, 'worker', log);
    closers.add(() => observation.close());
    const store = await openStore(config, log, options);
    closers.add(() => store.close());
    closers.add(() => observation.unwatch());
    const health = createHealth({ ...store, log });
    const http =
      workerPort === null
        ? null
        : await listen(createHealthApp(health, log), {
            ...{ host, port: workerPort, setting: 'PLAT_WORKER_PORT' },
            writeTimeoutMs,
          });
    // Health checks are answered until the work has ended: a refused probe would have the process killed.
    closers.add(() => http?.close(shutdownMs));
    const sends = { ...config, webhooks: { ...config.webhooks, dispatch: true } };
    const work = await createWork(sends, { ...store, log, clock, printMail });
    closers.add(() => work.stop());
    observation.watch(store);
    work.start();
    const isReady = await health.isReady();
    return {
      isReady,
      db: store.db,
      healthUrl: http && addressOf(host, http.port),
      managementUrl: observation.managementUrl,
      async close() {
        health.stopping();
        await closers.close();
      },
    };
  });
}
