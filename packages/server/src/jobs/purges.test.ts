import { timeOfId } from '@plat/contract';
import { expect, test } from 'vitest';
import { TABLES } from '../db/tables/index.ts';
import type { Table } from '../db/tables/table.ts';
import { purgesAt } from './purges.ts';

const DAY_MS = 86_400_000;
const now = Date.UTC(2026, 0, 1);
const purges = purgesAt(now, { auditRetentionDays: 365, requestRetentionDays: 7 });
const daysBefore = (ms: number): number => (now - ms) / DAY_MS;

test('every table with rows that expire is purged of them, and of no row that is valid', () => {
  // Leases are taken over. Mails are purged by their age.
  const others = ['dispatchers', 'job_leases', 'shard_leases', 'mails'];
  const expiring = Object.values<Table>(TABLES).filter(
    ({ name, columns }) => 'expires_at' in columns && !others.includes(name),
  );
  const found = Object.fromEntries(expiring.map(({ name }) => [name, 0]));
  const purged = purges.filter(({ column }) => column === 'expires_at');
  expect(Object.fromEntries(purged.map(({ table, below }) => [table, daysBefore(Number(below))]))).toEqual({
    ...found,
    device_logins: 1,
    oauth_grants: 30,
  });
});

test('rows without an expiry stay for the days of their retention', () => {
  const purged = purges.filter(({ column }) => column === 'id');
  expect(Object.fromEntries(purged.map(({ table, below }) => [table, daysBefore(timeOfId(String(below)))]))).toEqual({
    ...{ webhook_deliveries: 30, events: 30, webhook_replays: 30, mails: 30 },
    ...{ audit_events: 365, requests: 7 },
  });
});
