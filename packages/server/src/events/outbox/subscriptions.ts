import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';

/** Removes the subscriptions of an endpoint: it receives no later events. */
export async function removeSubscriptions(
  db: Database,
  transaction: Transaction,
  { tenantId, endpointId }: { readonly tenantId: string; readonly endpointId: string },
): Promise<void> {
  const where = { tenant_id: tenantId, endpoint_id: endpointId };
  await db.models.webhookSubscription.destroy({ where, transaction });
}
