import type { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { execute } from './sql.ts';
import { insertInto } from './statements.ts';
import { AUDIT_EVENTS, type AuditEventRow } from './tables/audit-events.ts';

const INSERT = insertInto(AUDIT_EVENTS);

/** Writes an audit event in the transaction of the change that it records. */
export async function insertAuditEvent(db: Database, transaction: Transaction, row: AuditEventRow): Promise<void> {
  await execute(db, INSERT, { ...row }, transaction);
}
