import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type HeartbeatServices, startHeartbeat } from './heartbeat.ts';
import { startManagement } from './management.ts';
import { measureQueues } from './queue-metrics.ts';
import { startTracing } from './tracing.ts';
import { versionOf } from './version-info.ts';

/** The means by which operators observe a process: metrics, traces and a heartbeat. */
export interface Observation {
  /** Address of `/metrics` and `/version`; null when they are not served. */
  readonly managementUrl: string | null;
  /** Begins the heartbeat, and adds the queues to the metrics. */
  watch(services: HeartbeatServices): void;
  /** Ends what uses the database. */
  unwatch(): Promise<void>;
  /** Ends the rest. */
  close(): Promise<void>;
}

/**
 * Begins to observe this process. Call it before the work that it measures: a gauge that missed the start of a request
 * would count its end only.
 * @throws StartError when the address of the metrics cannot be bound
 */
export async function observeProcess(config: Config, kind: 'server' | 'worker', log: Logger): Promise<Observation> {
  const version = versionOf(config);
  const management = await startManagement(config, kind, log);
  const tracing = await startTracing(config, kind, version, log);
  let unwatch = async (): Promise<void> => undefined;
  return {
    managementUrl: management?.url ?? null,
    watch(store) {
      const heartbeat = startHeartbeat(store, kind, version, log);
      const endQueues = management ? measureQueues(store.db, log) : () => undefined;
      unwatch = async () => {
        endQueues();
        await heartbeat.stop();
      };
    },
    unwatch: () => unwatch(),
    async close() {
      await tracing?.stop();
      await management?.close();
    },
  };
}
