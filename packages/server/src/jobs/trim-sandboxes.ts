import { isId, LIMITS } from '@plat/contract';
import type { Database } from '../db/database.ts';
import { tenantsSince } from '../db/rows-by-age.ts';
import { PRIMARY, selectOne, usingIndex } from '../db/sql.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { purgeRange } from './purge-batches.ts';

/** Maximum number of rows of each sandbox, by table. Deliveries are deleted before their events. */
const HISTORY = [
  { table: 'webhook_deliveries', kind: 'webhook_delivery', rows: LIMITS.sandboxHistory.deliveries },
  { table: 'events', kind: 'event', rows: LIMITS.sandboxHistory.events },
  { table: 'audit_events', kind: 'audit_event', rows: LIMITS.sandboxHistory.auditEvents },
  { table: 'deleted_clients', kind: 'client', rows: LIMITS.sandboxHistory.deletedClients },
] as const;

/**
 * Deletes all but the latest rows of the history of each sandbox that changed after an instant, because sandboxes are
 * free. The same holds for an app that is not verified. Yields the number of deleted rows after each step, with their table.
 */
export async function* trimSandboxes(
  db: Database,
  since: number,
): AsyncGenerator<{ readonly table: string; readonly rows: number }> {
  for (const { table, kind, rows: most } of HISTORY) {
    // A client that is deleted leaves an audit event; its own id is older.
    const [written, writtenKind] = table === 'deleted_clients' ? CHANGES : ([table, kind] as const);
    for await (const tenants of tenantsSince(db, written, lowestIdAt(writtenKind, since))) {
      yield NOTHING;
      for (const tenantId of await sandboxesAmong(db, tenants)) {
        // Ids are sorted by time.
        const sql = `SELECT id FROM ${table} ${usingIndex(db, PRIMARY)} WHERE tenant_id = :tenantId ORDER BY id DESC LIMIT 1 OFFSET ${most}`;
        const latestToGo = await selectOne<{ id: string }>(db, sql, { tenantId });
        yield NOTHING;
        if (!latestToGo) continue;
        const range = { table, column: 'id', from: lowestIdAt(kind, 0), below: `${latestToGo.id}!` } as const;
        for await (const rows of purgeRange(db, range, tenantId)) yield { table, rows };
      }
    }
  }
}

/** A step that only read. */
const NOTHING = { table: 'events', rows: 0 } as const;

const CHANGES = ['audit_events', 'audit_event'] as const;

/** Apps that are not verified count as sandboxes: they are free too. */
async function sandboxesAmong(db: Database, owners: readonly string[]): Promise<readonly string[]> {
  const apps = owners.filter((id) => isId('app', id));
  const tenants = owners.filter((id) => !isId('app', id));
  const verified = await db.models.oauthApp.findAll({
    attributes: ['id'],
    where: { id: apps, verification: 'verified' },
    raw: true,
  });
  const kept = new Set(verified.map(({ id }) => id));
  const rows = await db.models.tenant.findAll({
    attributes: ['id'],
    where: { id: [...tenants], sandbox: 1 },
    raw: true,
  });
  return [...rows.map(({ id }) => id), ...apps.filter((id) => !kept.has(id))];
}
