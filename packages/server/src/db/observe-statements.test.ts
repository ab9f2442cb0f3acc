import { expect, it } from 'vitest';
import { labelsOf } from './observe-statements.ts';

it.each([
  ['SELECT id FROM clients WHERE id = :id', 'select', 'clients'],
  ['(SELECT a FROM webhook_deliveries LIMIT 1)\nUNION ALL\n(SELECT 2)', 'select', 'webhook_deliveries'],
  ['INSERT INTO `clients` (`id`) VALUES (?)', 'insert', 'clients'],
  ['UPDATE shard_leases SET owner = NULL', 'update', 'shard_leases'],
  ['START TRANSACTION', 'begin', ''],
  ['BEGIN IMMEDIATE TRANSACTION;', 'begin', ''],
  ['COMMIT', 'commit', ''],
  ['SELECT 1 FROM another_table', 'select', ''],
  ['SET SESSION wsrep_sync_wait = 1', 'other', ''],
])('%s has a verb and a table from fixed sets', (sql, statement, table) => {
  expect(labelsOf(sql)).toEqual({ statement, table });
});
