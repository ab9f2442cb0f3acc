import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import { tenantsSince } from './rows-by-age.ts';

test('every tenant with rows after an id is found once, however many rows there are', async () => {
  const rows = Array.from({ length: 12_000 }, (_, n) => ({
    tenant_id: `tnt_${n < 6_000 ? 0 : n % 3}`,
    id: `req_${String(n).padStart(5, '0')}`,
  }));
  const query = async (sql: string, { replacements }: { replacements: { readonly after: string } }) => {
    const [, limit] = /LIMIT (\d+)$/.exec(sql.trim()) ?? [];
    return rows.filter(({ id }) => id > replacements.after).slice(0, Number(limit));
  };
  const db = { sequelize: { getDialect: () => 'sqlite', query } } as unknown as Database;
  const found: string[] = [];
  for await (const tenants of tenantsSince(db, 'requests', 'req_00010')) found.push(...tenants);
  expect(found.toSorted()).toEqual(['tnt_0', 'tnt_1', 'tnt_2']);
});
