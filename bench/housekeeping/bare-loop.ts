import { DatabaseSync } from 'node:sqlite';
import { createConnection, type ResultSetHeader } from 'mysql2/promise';
import { serveParent } from '../lib/child.ts';
import { nthId } from '../lib/ids.ts';
import type { Removed } from './messages.ts';
import { TABLES } from './rows.ts';

/** The limit: a hand-written loop of DELETE for one database, without pauses, lease or check for pending deliveries. */
const ROWS_A_STATEMENT = 1000;
const [databaseUrl = ''] = process.argv.slice(2);

serveParent<Removed>({ rows: 0, ms: 0 }, async (question) => {
  const tenants: string[] = JSON.parse(question);
  const startedAt = performance.now();
  const rows = databaseUrl.startsWith('sqlite:')
    ? removeFromSqlite(databaseUrl.slice('sqlite:'.length), tenants)
    : await removeFromMariadb(tenants);
  return { rows, ms: performance.now() - startedAt };
});

const bound = (table: (typeof TABLES)[number]) =>
  nthId(table === 'events' ? 'evt' : 'del', Date.now() - 30 * 86_400_000, 0);

async function removeFromMariadb(tenants: readonly string[]): Promise<number> {
  const connection = await createConnection({ uri: databaseUrl });
  let rows = 0;
  for (const table of TABLES) {
    for (const tenant of tenants) {
      for (let removed = ROWS_A_STATEMENT; removed === ROWS_A_STATEMENT; rows += removed) {
        const sql = `DELETE FROM ${table} WHERE tenant_id = ? AND id < ? ORDER BY id LIMIT ${ROWS_A_STATEMENT}`;
        const [answer] = await connection.execute<ResultSetHeader>(sql, [tenant, bound(table)]);
        removed = answer.affectedRows;
      }
    }
  }
  await connection.end();
  return rows;
}

function removeFromSqlite(path: string, tenants: readonly string[]): number {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  database.exec('PRAGMA synchronous = NORMAL');
  let rows = 0;
  for (const table of TABLES) {
    const range = `FROM ${table} WHERE tenant_id = ? AND id < ?`;
    const statement = database.prepare(
      `DELETE ${range} AND id <= (SELECT MAX(id) FROM (SELECT id ${range} ORDER BY id LIMIT ${ROWS_A_STATEMENT}))`,
    );
    for (const tenant of tenants) {
      for (let removed = ROWS_A_STATEMENT; removed === ROWS_A_STATEMENT; rows += removed) {
        removed = Number(statement.run(tenant, bound(table), tenant, bound(table)).changes);
      }
    }
  }
  database.close();
  return rows;
}
