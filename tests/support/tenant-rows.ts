import { rowsAfter, TENANT_ROWS, type TestServer } from '@plat/server/testing';

/** Returns all rows of a tenant by table. A table that has none is there with an empty list. */
export async function rowsOfTenant(
  { db }: Pick<TestServer, 'db'>,
  tenantId: string,
): Promise<ReadonlyMap<string, readonly object[]>> {
  const rows = new Map<string, readonly object[]>();
  for (const { table, sql } of TENANT_ROWS) {
    const found = await rowsAfter(db, table, null, 10_000, { only: { sql, values: { tenantId } } });
    rows.set(table.name, [...(rows.get(table.name) ?? []), ...found.map(withoutLastUse)]);
  }
  return rows;
}

/** Returns a row without the last use of a key, which is stored up to a minute after the request. */
export function withoutLastUse(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'last_used_at'));
}

/** Returns the ids of a tenant and of its objects, and the hashes of its credentials, as latin1. */
export function keysOf(rows: ReadonlyMap<string, readonly object[]>): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const row of [...rows.values()].flat()) {
    for (const [column, value] of Object.entries(row)) {
      if (column === 'id' || column === 'tenant_id') keys.add(String(value));
      else if (column.endsWith('_hash') && value instanceof Uint8Array) keys.add(Buffer.from(value).toString('latin1'));
    }
  }
  keys.delete('null');
  return keys;
}
