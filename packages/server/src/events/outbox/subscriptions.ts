import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';

/** Ends what an endpoint is sent: of the events from now on, none. */
export async function removeSubscriptions(
  db: Database,
  transaction: Transaction,
  { tenantId, endpointId }: { readonly tenantId: string; readonly endpointId: string },
): Promise<void> {
  const where = { tenant_id: tenantId, endpoint_id: endpointId };
  await db.models.webhookSubscription.destroy({ where, transaction });
}
