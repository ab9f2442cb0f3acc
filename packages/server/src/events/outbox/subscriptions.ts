import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { execute } from '../../db/sql.ts';

/** Removes the subscriptions of an endpoint: it receives no later events. */
export async function removeSubscriptions(
  db: Database,
  transaction: Transaction,
  { tenantId, endpointId }: { readonly tenantId: string; readonly endpointId: string },
): Promise<void> {
  await execute(
    db,
    'DELETE FROM webhook_subscriptions WHERE tenant_id = :tenantId AND endpoint_id = :endpointId',
    { tenantId, endpointId },
    transaction,
  );
}
