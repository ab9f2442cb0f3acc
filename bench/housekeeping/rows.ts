import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mysql2/promise';
import { eventBody } from '../deliveries/backlog.ts';
import { nthId } from '../lib/ids.ts';

/** Tables in the order of deletion. */
export const TABLES = ['webhook_deliveries', 'events'] as const;

const ROWS_A_STATEMENT = 1000;
const AGE_MS = 40 * 86_400_000;

const COLUMNS = {
  events: 'tenant_id, id, type, created, payload',
  webhook_deliveries: `tenant_id, id, event_id, event_type, endpoint_id, attempt, status, queue_shard, scheduled_at,
    attempted_at, response_status, response_body, error, duration_ms, created_at, updated_at`,
} as const;

/** Returns tables and rows of one batch: old events with one successful delivery each, of the tenants in turn. */
function* batches(tenants: readonly string[], count: number) {
  const start = Date.now() - AGE_MS;
  for (let first = 0; first < count; first += ROWS_A_STATEMENT) {
    const numbers = Array.from({ length: Math.min(ROWS_A_STATEMENT, count - first) }, (_, i) => first + i);
    const common = (n: number) => ({
      tenant: tenants[n % tenants.length] ?? '',
      event: nthId('evt', start, n),
      at: start + n,
    });
    yield {
      events: numbers.map((n) => {
        const { tenant, event, at } = common(n);
        return [tenant, event, 'client.created', at, eventBody(event, tenant, at)];
      }),
      webhook_deliveries: numbers.map((n) => {
        const { tenant, event, at } = common(n);
        const endpoint = nthId('whe', start, n % 50);
        const sent = [at, at, 200, 'ok', null, 3, at, at];
        return [tenant, nthId('del', start, n), event, 'client.created', endpoint, 1, 'succeeded', null, ...sent];
      }),
    };
  }
}

/** Commits this many events of 40 days ago, and as many deliveries, to a MariaDB or a SQLite file. */
export async function insertOldRows(databaseUrl: string, tenants: readonly string[], count: number): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) return insertIntoSqlite(databaseUrl.slice('sqlite:'.length), tenants, count);
  const connection = await createConnection({ uri: databaseUrl });
  try {
    for (const batch of batches(tenants, count)) {
      await connection.beginTransaction();
      for (const table of TABLES) {
        await connection.query(`INSERT INTO ${table} (${COLUMNS[table]}) VALUES ?`, [batch[table]]);
      }
      await connection.commit();
    }
    await connection.query(`ANALYZE TABLE ${TABLES.join(', ')}`);
  } finally {
    await connection.end();
  }
}

function insertIntoSqlite(path: string, tenants: readonly string[], count: number): void {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  database.exec('PRAGMA synchronous = OFF');
  const insert = Object.fromEntries(
    TABLES.map((table) => {
      const places = COLUMNS[table].split(',').map(() => '?');
      return [table, database.prepare(`INSERT INTO ${table} (${COLUMNS[table]}) VALUES (${places})`)];
    }),
  );
  for (const batch of batches(tenants, count)) {
    database.exec('BEGIN IMMEDIATE');
    for (const table of TABLES) for (const row of batch[table]) insert[table]?.run(...row);
    database.exec('COMMIT');
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
