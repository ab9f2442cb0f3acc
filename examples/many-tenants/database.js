import { DatabaseSync } from 'node:sqlite';
import { handledTableSql, recordHandled } from '@plat/webhooks';

/*
 * The database of the receiver: the secret of each tenant's endpoint, and the data that events change. With MySQL or
 * PostgreSQL the functions are the same; use a connection of a pool for each transaction.
 */

/** Opens the database. @param {string} file */
export function openDatabase(file) {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000; PRAGMA synchronous = FULL');
  database.exec(handledTableSql('sqlite'));
  database.exec(
    'CREATE TABLE IF NOT EXISTS webhook_secrets (tenant_id TEXT NOT NULL, endpoint_id TEXT NOT NULL, secret TEXT NOT NULL, PRIMARY KEY (tenant_id, endpoint_id))',
  );
  database.exec(
    'CREATE TABLE IF NOT EXISTS client_counts (tenant_id TEXT NOT NULL PRIMARY KEY, clients INTEGER NOT NULL)',
  );
  const secretsOf = database.prepare('SELECT endpoint_id AS id, secret FROM webhook_secrets WHERE tenant_id = ?');
  const keepSecret = database.prepare('INSERT OR REPLACE INTO webhook_secrets VALUES (?, ?, ?)');
  const count = database.prepare(
    'INSERT INTO client_counts VALUES (?, ?) ON CONFLICT (tenant_id) DO UPDATE SET clients = clients + excluded.clients',
  );
  const query = (sql, values) => database.prepare(sql).run(...values);
  let last = Promise.resolve();

  return {
    /** Returns the secrets of a tenant, one for each of its endpoints. Any caller can trigger this look-up. */
    secretsOf: (tenantId) => secretsOf.all(tenantId),
    keepSecret: (tenantId, endpointId, secret) => void keepSecret.run(tenantId, endpointId, secret),
    countClients: (tenantId, difference) => void count.run(tenantId, difference),
    /**
     * Runs the effect of an event in one transaction with the record of the event: both are committed, or neither.
     * SQLite has one connection here, so transactions run one after the other.
     * @returns {Promise<boolean>} false for a duplicate, whose effect is not repeated
     */
    once(event, effect) {
      const result = last.then(async () => {
        database.exec('BEGIN IMMEDIATE');
        try {
          const isFirst = await recordHandled({ id: `${event.tenant_id}/${event.id}` }, { dialect: 'sqlite', query });
          if (isFirst) await effect();
          database.exec('COMMIT');
          return isFirst;
        } catch (error) {
          database.exec('ROLLBACK');
          throw error;
        }
      });
      last = result.then(
        () => undefined,
        () => undefined,
      );
      return result;
    },
    close: () => database.close(),
  };
}
