import { expect, test } from 'vitest';
import { TABLES } from './tables/index.ts';
import type { Table } from './tables/table.ts';
import { TABLES_WITHOUT_TENANT, TENANT_ROWS } from './tenant-tables.ts';

const named = (tables: readonly Table[]) => new Set(tables.map(({ name }) => name));

test('each table either has rows of tenants, or a reason to have none', () => {
  const ofTenants = named(TENANT_ROWS.map(({ table }) => table));
  const without = new Set(Object.keys(TABLES_WITHOUT_TENANT));
  expect(ofTenants.intersection(without)).toEqual(new Set());
  expect([...ofTenants.union(without)].sort()).toEqual([...named(Object.values(TABLES))].sort());
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
