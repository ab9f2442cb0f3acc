import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { trimRequests } from '../db/trim-requests.ts';
import { remember } from '../kernel/remember.ts';

/** Keeps the request log of each tenant within its number of rows, between two runs of housekeeping. */
export interface RequestTrimmer {
  /** Counts a written entry. Trims the tenant when this process has written a tenth of the rows that it keeps. */
  count(tenantId: string, keep: number): void;
  /** Resolves when no trimming is in progress. */
  settled(): Promise<void>;
  /**
   * Ends trimming after the current batch, so that a large backlog does not delay a shutdown. Housekeeping trims the
   * rest.
   */
  stop(): Promise<void>;
}

export function createRequestTrimmer(db: Database, log: Logger): RequestTrimmer {
  /** Tenant id → entries that this process has written since it last trimmed the tenant. */
  const added = new Map<string, number>();
  let trimming: Promise<void> = Promise.resolve();
  let isStopped = false;

  return {
    count(tenantId, keep) {
      const entries = (added.get(tenantId) ?? 0) + 1;
      if (entries <= keep / 10) return remember(added, tenantId, entries);
      added.delete(tenantId);
      trimming = trimming.then(() => trim(tenantId, keep));
    },
    settled: () => trimming,
    stop() {
      isStopped = true;
      return trimming;
    },
  };

  async function trim(tenantId: string, keep: number): Promise<void> {
    if (isStopped) return;
    try {
      for await (const _rows of trimRequests(db, tenantId, keep)) {
        // SQLite runs on this thread. Without this turn, no request would be served between two batches.
        await turn();
        if (isStopped) return;
      }
    } catch (err) {
      log.debug({ err }, 'the request log could not be trimmed');
    }
  }
}
