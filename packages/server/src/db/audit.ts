import type { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { execute } from './sql.ts';
import type { AuditEventRow } from './tables/audit-events.ts';

/** Writes an audit event in the transaction of the change that it tells of. */
export async function insertAuditEvent(db: Database, transaction: Transaction, row: AuditEventRow): Promise<void> {
  await execute(
    db,
    `INSERT INTO audit_events
       (tenant_id, id, actor_type, actor_id, action, target_type, target_id, changes, request_id, ip, created_at)
     VALUES
       (:tenant_id, :id, :actor_type, :actor_id, :action, :target_type, :target_id, :changes, :request_id, :ip, :created_at)`,
    { ...row },
    transaction,
  );
}
