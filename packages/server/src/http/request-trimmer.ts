import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { trimRequests } from '../db/trim-requests.ts';

/** Keeps the request log of each tenant within its number of rows, between two runs of housekeeping. */
export interface RequestTrimmer {
  /** Counts an entry that was written. Trims the tenant when this process has added a tenth of what it keeps. */
  count(tenantId: string, keep: number): void;
  /** Resolves when no trimming is in progress. */
  settled(): Promise<void>;
}

export function createRequestTrimmer(db: Database, log: Logger): RequestTrimmer {
  /** Entries of this process since it last trimmed the tenant. */
  const added = new Map<string, number>();
  let trimming: Promise<void> = Promise.resolve();

  return {
    count(tenantId, keep) {
      const entries = (added.get(tenantId) ?? 0) + 1;
      if (entries <= keep / 10) return void added.set(tenantId, entries);
      added.delete(tenantId);
      trimming = trimming.then(() => trim(tenantId, keep));
    },
    settled: () => trimming,
  };

  async function trim(tenantId: string, keep: number): Promise<void> {
    try {
      for await (const _rows of trimRequests(db, tenantId, keep));
    } catch (err) {
      log.debug({ err }, 'the request log could not be trimmed');
    }
  }
}
