import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { clearGauge, gauge, measureOnExport } from '../kernel/meter.ts';
import { type QueueState, readQueueState } from './queue-state.ts';
import { within } from './within.ts';

/** Minimum time between two reads, in ms: several monitors may collect from one process. */
const EVERY_MS = 10_000;
/** An export does not wait longer for the database, in ms. */
const WAIT_MS = 2_000;

const GAUGES = [
  'plat_schema_migrations',
  'plat_deliveries_due',
  'plat_delivery_oldest_due_seconds',
  'plat_endpoints_paused',
  'plat_replays',
  'plat_mails_queued',
  'plat_mail_oldest_due_seconds',
  'plat_housekeeping_last_end_timestamp_seconds',
  'plat_signing_key_age_seconds',
] as const;

/** Reads the shared queues before an export. Returns a function that ends the reads. */
export function measureQueues(db: Database, log: Logger): () => void {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();
  return measureOnExport(async () => {
    if (performance.now() - readAt >= EVERY_MS) {
      readAt = performance.now();
      reading = readQueueState(db).then(setGauges, (error: unknown) => {
        log.warn({ err: error }, 'could not read the queues for metrics');
        for (const name of GAUGES) clearGauge(name);
      });
    }
    await within(WAIT_MS, reading, undefined);
  });
}

function setGauges(state: QueueState): void {
  gauge('plat_schema_migrations', {}, state.migrations);
  gauge('plat_deliveries_due', {}, state.due);
  gauge('plat_delivery_oldest_due_seconds', {}, state.oldestDueMs / 1000);
  gauge('plat_endpoints_paused', {}, state.pausedEndpoints);
  gauge('plat_replays', {}, state.replays);
  gauge('plat_mails_queued', {}, state.mailsQueued);
  gauge('plat_mail_oldest_due_seconds', {}, state.oldestMailMs / 1000);
  if (state.housekeepingEndedAt !== null) {
    gauge('plat_housekeeping_last_end_timestamp_seconds', {}, state.housekeepingEndedAt / 1000);
  }
  if (state.signingKeySince !== null) {
    gauge('plat_signing_key_age_seconds', {}, Math.max(0, state.now - state.signingKeySince) / 1000);
  }
}
