import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { captureStatements } from '../testing/index.ts';
import { createHealth } from './health.ts';

let folder: string;
let db: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-health-'));
  db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  await migrate(db);
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

test('concurrent probes share one query, and a later probe queries again', async () => {
  const health = createHealth(db, { check: () => undefined });
  const one = await captureStatements(db, () => health.check());
  expect(one.length).toBeGreaterThan(0);
  const many = await captureStatements(db, () => Promise.all(Array.from({ length: 20 }, () => health.check())));
  expect(many).toEqual(one);
});

test('a stopping server is not ready', async () => {
  const health = createHealth(db, { check: () => undefined });
  health.stopping();
  await expect(health.check()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
