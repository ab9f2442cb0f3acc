import { createConnection } from 'mysql2/promise';
import { nthId } from '../lib/ids.ts';

const ROWS_A_STATEMENT = 4000;
const START = Date.UTC(2026, 0, 1);

/** Cursors before the second page of 20 and before the last page. */
export interface Cursors {
  readonly second: string;
  readonly last: string;
}

/** Replaces all clients by this many new ones for each tenant. */
export async function prefill(databaseUrl: string, tenantIds: readonly string[], rows: number): Promise<Cursors> {
  const connection = await createConnection({ uri: databaseUrl });
  try {
    // With these two settings MariaDB builds the indexes of an empty table by sorting, at the commit.
    await connection.query('SET unique_checks = 0, foreign_key_checks = 0');
    await connection.query('TRUNCATE TABLE clients');
    await connection.beginTransaction();
    for (const tenantId of tenantIds) {
      for (let first = 0; first < rows; first += ROWS_A_STATEMENT) {
        const count = Math.min(ROWS_A_STATEMENT, rows - first);
        const values = Array.from({ length: count }, (_, i) => row(tenantId, first + i));
        await connection.query(
          `INSERT INTO clients (tenant_id, id, name, status, slug, custom_domain, created_at, updated_at) VALUES ${values.join(',')}`,
        );
      }
    }
    await connection.commit();
    await connection.query('ANALYZE TABLE clients');
  } finally {
    await connection.end();
  }
  // The list is ordered from the newest to the oldest.
  return { second: nthId('cli', START, rows - 20), last: nthId('cli', START, 20) };
}

function row(tenantId: string, n: number): string {
  const at = START + n;
  return `('${tenantId}','${nthId('cli', START, n)}','Harbour Coffee Roasters ${n}','active','harbour-coffee-${n}',NULL,${at},${at})`;
}
