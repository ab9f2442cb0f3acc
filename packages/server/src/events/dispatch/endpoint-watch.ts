import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { type HealthOptions, recordHealth } from '../endpoints/endpoint-health.ts';
import type { EndpointWatch } from '../outbox/outcomes.ts';
import type { FailingEndpoints } from './circuits.ts';

interface WatchOptions extends HealthOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly failing: FailingEndpoints;
}

/** Writes how endpoints fare, and lets this process know. */
export function createEndpointWatch({ db, log, failing, ...options }: WatchOptions): EndpointWatch {
  return {
    isFailing: (delivery) => failing.isFailing(delivery),
    async record(transaction, outcomes) {
      const reports = await recordHealth(db, transaction, outcomes, options);
      return () => {
        failing.learn(reports);
        for (const { id, disabledReason: reason } of reports) {
          if (reason !== null) log.info({ endpoint: id, reason }, 'a webhook endpoint was disabled');
        }
      };
    },
  };
}
