import type { Database } from '../db/database.ts';
import { execute, select } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';

/**
 * Deletes the webhook endpoints of deleted apps once no delivery to them is pending: the last event of an app reports its
 * deletion. Its events and deliveries expire like those of tenants. Yields the number of deleted rows for each app.
 */
export async function* deleteAppEndpoints(
  db: Database,
): AsyncGenerator<{ readonly table: string; readonly rows: number }, void, void> {
  const owners = await select<{ tenant_id: string }>(
    db,
    `SELECT DISTINCT tenant_id FROM webhook_endpoints
     WHERE tenant_id > 'app_' AND tenant_id < 'app~'
       AND NOT EXISTS (SELECT 1 FROM oauth_apps a WHERE a.id = webhook_endpoints.tenant_id)
       AND NOT EXISTS (
         SELECT 1 FROM webhook_deliveries d WHERE d.tenant_id = webhook_endpoints.tenant_id AND d.status = 'pending'
       )`,
  );
  for (const { tenant_id: appId } of owners) {
    const sql = 'DELETE FROM webhook_endpoints WHERE tenant_id = :appId';
    const rows = await unitOfWork(db, (transaction) => execute(db, sql, { appId }, transaction));
    yield { table: 'webhook_endpoints', rows };
  }
}
