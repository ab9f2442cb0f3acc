import { expect, it } from 'vitest';
import { measureInto } from '../kernel/meter.ts';
import { labelsOf, observeConnection } from './observe-statements.ts';
import type { Connection } from './sequelize-internals.ts';

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

it('counts a statement once when the driver calls back twice', () => {
  let observations = 0;
  let calls = 0;
  measureInto({ add() {}, set() {}, clear() {}, observe: () => void observations++ });
  const twice = (_sql: string, done: () => void) => void [done(), done()];
  const connection = { query: twice, execute: twice };
  observeConnection(connection as unknown as Connection);
  connection.execute('SELECT 1', () => void calls++);
  measureInto(null);
  expect([observations, calls]).toEqual([1, 1]);
});
