import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClockOffsetError } from '../db/clock-watch.ts';
import type { Database } from '../db/database.ts';
import { openMigrated } from '../db/migrated-file.ts';
import { execute } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { createSealer } from '../kernel/seal.ts';
import { ensureSigningKey } from '../launch/signing-keys.ts';
import { captureStatements } from '../testing/index.ts';
import { createHealth, type HealthOptions } from './health.ts';

let folder: string;
let db: Database;
let lines: { level: number; msg: string }[];
const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
const sealer = createSealer([randomBytes(32)]);
const rightClocks = { check: () => undefined };
const healthOf = (others: Partial<HealthOptions> = {}) =>
  createHealth({ db, sealer, log, clocks: rightClocks, ...others });
const notReady = (message: RegExp) =>
  expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(message) });

beforeEach(async () => {
  lines = [];
  folder = await mkdtemp(join(tmpdir(), 'plat-health-'));
  db = await openMigrated(folder);
  await ensureSigningKey({ db, sealer }, Date.now());
});
afterEach(async () => {
  vi.useRealTimers();
  await db.close();
  await rm(folder, { recursive: true });
});

test('probes within a second share one measurement, and a later probe measures again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const health = healthOf();
  const one = await captureStatements(db, () => health.check());
  expect(one.length).toBeGreaterThan(0);
  const none = await captureStatements(db, () => Promise.all(Array.from({ length: 20 }, () => health.check())));
  expect(none).toEqual([]);
  vi.advanceTimersByTime(1000);
  const many = await captureStatements(db, () => Promise.all(Array.from({ length: 20 }, () => health.check())));
  expect(many).toEqual(one);
});

test('a stopping server is not ready', async () => {
  const health = healthOf();
  health.stopping();
  await expect(health.check()).rejects.toEqual(notReady(/stopping/));
});

test('a server with another master key, and one with a wrong clock, are not ready for all these reasons', async () => {
  const check = () => {
    throw new ClockOffsetError('the clock is wrong');
  };
  const health = healthOf({ sealer: createSealer([randomBytes(32)]), clocks: { check } });
  const both = /PLAT_MASTER_KEY cannot decrypt.*plat-server secrets status; the clock is wrong$/;
  await expect(health.check()).rejects.toEqual(notReady(both));
  expect(lines).toEqual([expect.objectContaining({ level: 50, msg: expect.stringMatching(both) })]);
});

test('a server whose schema is not migrated is not ready', async () => {
  await execute(db, "DELETE FROM schema_migrations WHERE name = '0001-tenants-and-keys'");
  await expect(healthOf().check()).rejects.toEqual(notReady(/schema is not up to date/));
});

test('a SQLite file that is gone makes the server unready until it is back', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const health = healthOf();
  const path = join(folder, 'plat.db');
  await rename(path, `${path}.gone`);
  await expect(health.check()).rejects.toEqual(notReady(/the database refuses changes \(ENOENT\)/));
  await rename(`${path}.gone`, path);
  vi.advanceTimersByTime(1000);
  await health.check();
  expect(lines.map(({ msg }) => msg)).toEqual([expect.stringMatching(/^not ready/), 'ready']);
});

test('a long change in SQLite does not delay the check', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const change = unitOfWork(db, () => ended);
  await healthOf().check();
  end();
  await change;
});
