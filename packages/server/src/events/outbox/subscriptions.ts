import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { execute } from '../../db/sql.ts';

/** Ends what an endpoint is sent: of the events from now on, none. */
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
