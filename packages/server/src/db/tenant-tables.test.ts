import { expect, test } from 'vitest';
import { TABLES } from './tables/index.ts';
import type { Table } from './tables/table.ts';
import { TABLES_WITHOUT_TENANT, TENANT_ROWS } from './tenant-tables.ts';

test('each table either has rows of tenants, or a reason to have none', () => {
  const ofTenants = new Set(TENANT_ROWS.map(({ table }) => table.name));
  const listed = [...ofTenants, ...Object.keys(TABLES_WITHOUT_TENANT)];
  expect(listed.sort()).toEqual(
    Object.values<Table>(TABLES)
      .map(({ name }) => name)
      .sort(),
  );
});

test('a row is deleted before the one that it is found by', () => {
  const order = TENANT_ROWS.map(({ table }) => table.name);
  for (const [index, { table, sql }] of TENANT_ROWS.entries()) {
    for (const [, parent = ''] of sql.matchAll(/FROM (\w+)/g)) {
      expect(order.lastIndexOf(parent), `${table.name} before ${parent}`).toBeGreaterThan(index);
    }
  }
  expect(order.at(-1)).toBe('tenants');
});
