import { LIMITS } from '@plat/contract';
import { Op } from 'sequelize';
import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { purgeRange } from './purge-batches.ts';

/** Maximum number of rows of each sandbox, by table. Deliveries are deleted before their events. */
const HISTORY = [
  { table: 'webhook_deliveries', kind: 'webhook_delivery', rows: LIMITS.sandboxHistory.deliveries },
  { table: 'events', kind: 'event', rows: LIMITS.sandboxHistory.events },
  { table: 'audit_events', kind: 'audit_event', rows: LIMITS.sandboxHistory.auditEvents },
  { table: 'deleted_clients', kind: 'client', rows: LIMITS.sandboxHistory.deletedClients },
] as const;

const SANDBOXES = 100;

/**
 * Deletes all but the latest rows of each sandbox's history, because sandboxes are free. Yields the number of deleted rows
 * after each step, with their table.
 */
export async function* trimSandboxes(db: Database): AsyncGenerator<{ readonly table: string; readonly rows: number }> {
  for (let after = ''; ; ) {
    const sandboxes = await db.models.tenant.findAll({
      attributes: ['id'],
      where: { id: { [Op.gt]: after }, sandbox: 1 },
      order: ['id'],
      limit: SANDBOXES,
      raw: true,
    });
    for (const { id: tenantId } of sandboxes) {
      for (const { table, kind, rows: most } of HISTORY) {
        // Ids are sorted by time.
        const sql = `SELECT id FROM ${table} WHERE tenant_id = :tenantId ORDER BY id DESC LIMIT 1 OFFSET ${most}`;
        const latestToGo = await selectOne<{ id: string }>(db, sql, { tenantId });
        if (!latestToGo) continue;
        const range = {
          table,
          byTenant: true,
          column: 'id',
          from: lowestIdAt(kind, 0),
          below: `${latestToGo.id}!`,
        } as const;
        for await (const rows of purgeRange(db, range, tenantId)) yield { table, rows };
      }
      yield { table: 'events', rows: 0 };
      after = tenantId;
    }
    if (sandboxes.length < SANDBOXES) return;
  }
}
