import { LIMITS } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import type { WebhookEndpointRow } from '../db/models/webhook-endpoint.model.ts';
import { execute } from '../db/sql.ts';

/** The columns that say for how long an endpoint was disabled. */
export type Missed = Pick<WebhookEndpointRow, 'missed_since' | 'missed_until'>;

/** Since when, in ms, events were not sent that can still be replayed; null when there are none. */
export function missedSince({ missed_since, missed_until }: Missed, now: number): number | null {
  const isOver = missed_until !== null && missed_until < now - LIMITS.webhook.eventRetentionSeconds * 1000;
  return isOver ? null : missed_since;
}

/** From now on nothing is sent. What was missed before, and was not replayed, is still missed. */
export function missingFrom(missed: Missed, now: number): Missed {
  return { missed_since: missedSince(missed, now) ?? now, missed_until: null };
}

/** From now on events are sent again. */
export function missingUntil({ missed_since }: Missed, now: number): Missed {
  return { missed_since, missed_until: missed_since === null ? null : now };
}

/**
 * A replay of what was not sent since an instant (ms) has been made: enabled endpoints that have missed nothing earlier
 * have nothing missed any more. `endpointId` null: all of the tenant's.
 */
export async function clearMissed(
  db: Database,
  transaction: Transaction,
  {
    tenantId,
    endpointId,
    since,
  }: { readonly tenantId: string; readonly endpointId: string | null; readonly since: number },
): Promise<void> {
  await execute(
    db,
    `UPDATE webhook_endpoints SET missed_since = NULL, missed_until = NULL
     WHERE tenant_id = :tenantId${endpointId === null ? '' : ' AND id = :endpointId'}
       AND status = 'enabled' AND missed_since >= :since`,
    { tenantId, endpointId, since },
    transaction,
  );
}
