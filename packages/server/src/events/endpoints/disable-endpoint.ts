import type { AuditChange } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { insertAuditEvent } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { developerOf } from '../../db/owners.ts';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import { isoTimeOrNull, laterThan } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { removeSubscriptions } from '../outbox/subscriptions.ts';
import { missedSince, missingFrom } from './missed-events.ts';

export type DisabledRow = Pick<WebhookEndpointRow, 'tenant_id' | 'id' | 'missed_since' | 'missed_until' | 'updated_at'>;

/**
 * Disables a failing endpoint as the system, with the same effects as a request to disable it. Resolves to the time of the
 * first missed event, in ms; to null, without a change, when the endpoint is no longer enabled.
 */
export async function disableEndpoint(
  db: Database,
  transaction: Transaction,
  row: DisabledRow,
  { reason, now }: { readonly reason: string; readonly now: number },
): Promise<number | null> {
  const { tenant_id: tenantId, id } = row;
  const at = laterThan(row.updated_at, now);
  const missed = await missingFrom(db, transaction, { ...row, tenantId }, now);
  const [changed] = await db.models.webhookEndpoint.update(
    { status: 'disabled', disabled_reason: reason, pauses: 0, paused_until: null, ...missed, updated_at: at },
    { where: { tenant_id: tenantId, id, status: 'enabled' }, transaction },
  );
  if (changed === 0) return null;
  await removeSubscriptions(db, transaction, { tenantId, endpointId: id });
  const changes: Record<string, AuditChange> = {
    status: { before: 'enabled', after: 'disabled' },
    disabled_reason: { before: null, after: reason },
    missed_since: {
      before: isoTimeOrNull(missedSince(row, now)),
      after: isoTimeOrNull(missed.missed_since),
    },
  };
  await insertAuditEvent(db, transaction, {
    tenant_id: (await developerOf(db, tenantId, transaction))?.tenant_id ?? tenantId,
    id: newId('audit_event', at),
    actor_type: 'system',
    actor_id: null,
    action: 'webhook_endpoint.disabled',
    target_type: 'webhook_endpoint',
    target_id: id,
    changes: JSON.stringify(changes),
    request_id: null,
    session_id: null,
    ip: null,
    created_at: at,
  });
  return missed.missed_since;
}
