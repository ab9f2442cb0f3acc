import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppVerification, LIMITS } from '@plat/contract';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../db/database.ts';
import { openMigrated } from '../db/migrated-file.ts';
import { logStatements } from '../db/sequelize-internals.ts';
import { execute, selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { lowestIdAt, newId } from '../kernel/ids.ts';
import { runHousekeeping } from './housekeeping.ts';
import { takeJobLease } from './job-lease.ts';
import { type Jobs, startJobs } from './start-jobs.ts';

const DAY_MS = 86_400_000;

let folder: string;
let db: Database;
let lines: { msg: string; events?: number }[];
const log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) });
/** The fake clock of some tests runs ahead of the database's. */
const options = () => ({
  ...{
    db,
    log,
    maxClockOffsetMs: Number.POSITIVE_INFINITY,
    auditRetentionDays: 365,
    requestRetentionDays: 7,
    leaseMs: 15_000,
  },
  requestRows: LIMITS.requestRows,
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-jobs-'));
  db = await openMigrated(folder);
  lines = [];
});
afterEach(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

async function insertOldEvents(count: number): Promise<void> {
  const at = Date.now() - 31 * DAY_MS;
  const tenant_id = newId('tenant');
  const rows = Array.from({ length: count }, () => ({
    tenant_id,
    id: newId('event', at),
    type: 'client.created' as const,
    created: at,
    payload: '{}',
  }));
  await unitOfWork(db, (transaction) => db.models.event.bulkCreate(rows, { transaction }));
}

const countEvents = async () => (await selectOne<{ n: number }>(db, 'SELECT COUNT(*) AS n FROM events'))?.n;

describe('the lease of a job', () => {
  const JOB = 'housekeeping';

  test('is held by one process, and free again when that process ends it', async () => {
    const held = await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 0 });
    expect(await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 0 })).toBeNull();
    expect(await held?.renew()).toBe(true);
    await held?.end(false);
    expect(await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 0 })).not.toBeNull();
  });

  test('that expired is taken by the next process, and its former holder changes nothing', async () => {
    const silent = await takeJobLease(db, JOB, { leaseMs: 0, everyMs: 0 });
    expect(await silent?.renew()).toBe(true);
    expect(await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 0 })).not.toBeNull();
    expect(await silent?.renew()).toBe(false);
    await silent?.end(true);
    expect(await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 0 })).toBeNull();
  });

  test('of a job that ended recently is taken only without a minimum interval', async () => {
    await (await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 0 }))?.end(true);
    expect(await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 60_000 })).toBeNull();
    expect(await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 0 })).not.toBeNull();
  });

  test('is renewed after a third of its time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const lease = await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 0 });
    await execute(db, 'UPDATE job_leases SET expires_at = 1');
    const isExpired = () => selectOne(db, 'SELECT job FROM job_leases WHERE expires_at = 1');
    vi.advanceTimersByTime(19_999);
    expect([await lease?.renew(), await isExpired()]).toEqual([true, { job: JOB }]);
    vi.advanceTimersByTime(1);
    expect([await lease?.renew(), await isExpired()]).toEqual([true, undefined]);
  });

  test('of an aborted job is free at once', async () => {
    await (await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 60_000 }))?.end(false);
    expect(await takeJobLease(db, JOB, { leaseMs: 60_000, everyMs: 60_000 })).not.toBeNull();
  });
});

describe('housekeeping', () => {
  test('that lost its lease ends after the current batch', async () => {
    await insertOldEvents(1000);
    const takeOver = "UPDATE job_leases SET owner = 'another', expires_at = 9000000000000";
    // The run reads its stopwatch first when it has the lease.
    const stopwatch = vi
      .fn(() => performance.now())
      .mockImplementationOnce(() => {
        void execute(db, takeOver);
        return performance.now();
      });
    const overtaken = runHousekeeping({ ...options(), leaseMs: 0, stopwatch });
    expect(await overtaken).toBeNull();
    expect(await countEvents()).toBeGreaterThan(0);
    expect(lines.map(({ msg }) => msg)).toEqual(['housekeeping ended early']);
  });
});

describe('a run with no row to delete', () => {
  const HOURS_MS = 3_600_000;

  /** Inserts rows of sandboxes, each with an event, an audit event and a log entry. */
  async function insertSandboxes(count: number, at: number): Promise<void> {
    const queries = db.sequelize.getQueryInterface();
    const ids = Array.from({ length: count }, () => newId('tenant', at));
    const insert = (table: string, rowOf: (tenant_id: string) => object) =>
      unitOfWork(db, (transaction) => queries.bulkInsert(table, ids.map(rowOf), { transaction }));
    const times = { created_at: at, updated_at: at };
    await insert('tenants', (id) => ({ id, name: 'Sandbox', status: 'active', sandbox: 1, ...times }));
    await insert('events', (tenant_id) => ({
      ...{ tenant_id, id: newId('event', at), type: 'client.created', created: at, payload: '{}' },
    }));
    await insert('requests', (tenant_id) => ({
      ...{ tenant_id, id: newId('request', at), method: 'GET', path: '/v1/clients', outcome: 'succeeded' },
      ...{ idempotent_replayed: 0, duration_us: 1, created_at: at },
    }));
  }

  async function statementsOfARun(): Promise<number> {
    let statements = 0;
    const stop = logStatements(db.sequelize, () => statements++);
    await runHousekeeping(options());
    stop();
    return statements;
  }

  test('costs the same for any number of tenants that did not change since the last one', async () => {
    const at = Date.now() - 2 * HOURS_MS;
    await insertSandboxes(1, at);
    await runHousekeeping(options());
    const few = await statementsOfARun();
    await insertSandboxes(50, at);
    expect(await statementsOfARun()).toBe(few);
    await insertSandboxes(1, Date.now());
    expect(await statementsOfARun()).toBeGreaterThan(few);
  });
});

describe('a clock 31 days ahead', () => {
  const DAYS_MS = 31 * DAY_MS;
  afterEach(() => vi.useRealTimers());

  test('of the process or of the database: nothing is deleted', async () => {
    await insertOldEvents(3);
    for (const at of [Date.now() + DAYS_MS, Date.now() - DAYS_MS]) {
      vi.useFakeTimers({ now: at, toFake: ['Date'] });
      const run = runHousekeeping({ ...options(), maxClockOffsetMs: 30_000 });
      await expect(run).rejects.toThrow(/2,678,[34]\d\d s (ahead of|behind) the clock of the database/);
      vi.useRealTimers();
    }
    expect(await countEvents()).toBe(3);
  });

  test('within the allowed offset: the clock of the database decides', async () => {
    const at = Date.now();
    await insertOldEvents(3);
    vi.useFakeTimers({ now: at - DAYS_MS, toFake: ['Date'] });
    expect(await runHousekeeping(options())).toMatchObject({ events: 3 });
  });
});

describe('the jobs of a process', () => {
  const HOUR_MS = 3_600_000;
  let jobs: Jobs;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    jobs = startJobs(options());
  });
  afterEach(async () => {
    await jobs.stop();
    vi.useRealTimers();
  });

  const LONG_TIMEOUT = { timeout: 60_000 };
  const ran = (times: number) =>
    vi.waitFor(() => expect(lines.filter(({ msg }) => msg === 'housekeeping')).toHaveLength(times), LONG_TIMEOUT);

  test('run soon after the start, then every hour, and not after a stop', async () => {
    await insertOldEvents(3);
    vi.advanceTimersByTime(HOUR_MS / 12);
    await ran(1);
    expect(lines[0]).toMatchObject({
      webhook_deliveries: 0,
      events: 3,
      audit_events: 0,
      request_bodies: 0,
      idempotency_keys: 0,
      mails: 0,
    });
    for (const times of [2, 3]) {
      await execute(db, 'UPDATE job_leases SET ended_at = 0');
      vi.advanceTimersByTime(HOUR_MS);
      await ran(times);
    }
    await execute(db, 'UPDATE job_leases SET ended_at = 0');
    await jobs.stop();
    vi.advanceTimersByTime(2 * HOUR_MS);
    await jobs.stop();
    await ran(3);
  });

  test('do nothing when another process ran them less than half an hour ago', async () => {
    await runHousekeeping(options());
    await insertOldEvents(3);
    vi.advanceTimersByTime(HOUR_MS / 12);
    await vi.waitFor(() => expect(lines.at(-1)?.msg).toMatch(/skipped: another process/), LONG_TIMEOUT);
    expect(await countEvents()).toBe(3);
  });

  test('end within a batch when they are stopped, and leave the rest to the next run', async () => {
    await insertOldEvents(5000);
    vi.advanceTimersByTime(HOUR_MS / 12);
    await vi.waitFor(async () => expect(await countEvents()).toBeLessThan(5000), { ...LONG_TIMEOUT, interval: 1 });
    await jobs.stop();
    const left = await countEvents();
    expect(lines).toMatchObject([{ msg: 'housekeeping ended early', events: 5000 - Number(left) }]);
    expect(left).toBeGreaterThan(0);
    expect(await runHousekeeping(options())).toMatchObject({ events: left });
  });

  test('log a failed run, and continue', async () => {
    await execute(db, 'ALTER TABLE mails RENAME TO gone');
    vi.advanceTimersByTime(HOUR_MS / 12);
    await vi.waitFor(() => expect(lines.at(-1)?.msg).toMatch(/failed; the next run repeats it/), LONG_TIMEOUT);
    await execute(db, 'ALTER TABLE gone RENAME TO mails');
    vi.advanceTimersByTime(HOUR_MS);
    await ran(1);
  });
});

describe('the history of a sandbox', () => {
  const insert = async (sandbox: 0 | 1, count: number) => {
    const tenantId = newId('tenant');
    await execute(
      db,
      "INSERT INTO tenants (id, name, status, sandbox, created_at, updated_at) VALUES (:tenantId, 'T', 'active', :sandbox, 0, 0)",
      { tenantId, sandbox },
    );
    return insertHistory(tenantId, count);
  };
  const insertHistory = async (tenantId: string, count: number) => {
    const created = { type: 'client.created', created: 0, payload: '{}' };
    const audited = { actor_type: 'system', action: 'client.created', target_type: 'client', target_id: 'cli' };
    const newest = await insertRows('events', 'event', count, { tenant_id: tenantId, ...created });
    await insertRows('audit_events', 'audit_event', count, { tenant_id: tenantId, ...audited, created_at: 0 });
    return { tenantId, newest };
  };
  /** Inserts equal rows of a recent request in one statement, and returns the last id. */
  async function insertRows(
    table: string,
    kind: Parameters<typeof lowestIdAt>[0],
    count: number,
    row: Readonly<Record<string, string | number>>,
  ): Promise<string> {
    const start = lowestIdAt(kind, Date.now() - DAY_MS / 48).slice(0, -6);
    const names = Object.keys(row);
    await execute(
      db,
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
       INSERT INTO ${table} (id, ${names.join(', ')})
       SELECT printf('${start}%06d', n), ${names.map((name) => `:${name}`).join(', ')} FROM numbers`,
      row,
    );
    return start + String(count).padStart(6, '0');
  }
  const left = async (table: string, tenantId: string) =>
    selectOne<{ n: number; newest: string }>(
      db,
      `SELECT COUNT(*) AS n, MAX(id) AS newest FROM ${table} WHERE tenant_id = :tenantId`,
      { tenantId },
    );

  test('is reduced to its latest rows; that of a production tenant, and of a small sandbox, stays', async () => {
    const { events: kept, auditEvents } = LIMITS.sandboxHistory;
    const [large, small, production] = [await insert(1, kept + 333), await insert(1, 10), await insert(0, kept + 333)];
    const counts = await runHousekeeping(options());
    expect(counts).toMatchObject({ events: 333, audit_events: kept + 333 - auditEvents });
    expect(await left('events', large.tenantId)).toEqual({ n: kept, newest: large.newest });
    expect((await left('audit_events', large.tenantId))?.n).toBe(auditEvents);
    expect(await left('events', small.tenantId)).toEqual({ n: 10, newest: small.newest });
    expect((await left('events', production.tenantId))?.n).toBe(kept + 333);
    expect(await runHousekeeping(options())).toMatchObject({ events: 0, audit_events: 0 });
  });

  const { deliveries, deletedClients } = LIMITS.sandboxHistory;
  const ofDelivery = { event_id: 'evt', event_type: 'client.created', endpoint_id: 'whe', attempt: 1, scheduled_at: 0 };
  test.each([
    ['webhook_deliveries', deliveries, 'webhook_delivery', { ...ofDelivery, status: 'pending' }],
    ['deleted_clients', deletedClients, 'client', { name: 'C', slug: 'c', status: 'active', deleted_at: 0 }],
  ] as const)(
    'has a maximum of %s too, also when they were committed after the last run',
    async (table, most, kind, columns) => {
      await runHousekeeping(options());
      const { tenantId } = await insert(1, 1);
      await insertRows(table, kind, most + 2, { tenant_id: tenantId, ...columns, created_at: 0, updated_at: 0 });
      expect(await runHousekeeping(options())).toMatchObject({ [table]: 2 });
      expect((await left(table, tenantId))?.n).toBe(most);
    },
  );

  test('is reduced for an app that is not verified, and for no other', async () => {
    const { events: kept } = LIMITS.sandboxHistory;
    const addApp = async (verification: AppVerification) => {
      const id = newId('app');
      const texts = { name: 'App', website: null, redirect_uris: '[]', scopes: '[]', verification_note: null };
      const secrets = { secret_hash: randomBytes(32), previous_secret_hash: null, previous_secret_expires_at: null };
      const state = { verification, disabled_by: null, created_at: 0, updated_at: 0 };
      await db.models.oauthApp.create({ id, developer_id: newId('developer'), ...texts, ...secrets, ...state });
      return insertHistory(id, kept + 1);
    };
    const [verified, free] = [await addApp('verified'), await addApp('unverified')];
    await runHousekeeping(options());
    expect((await left('events', verified.tenantId))?.n).toBe(kept + 1);
    expect(await left('events', free.tenantId)).toEqual({ n: kept, newest: free.newest });
  });
});

test('expired keys of the support and expired counts of mails are deleted, and no others', async () => {
  const now = Date.now();
  const minute = 60_000;
  for (const expires_at of [now - minute, now + minute]) {
    const count_key = randomBytes(32);
    await db.models.mailCount.create({ count_key, mails_counted: 1, expires_at });
    const key = { key_hash: count_key, hint: 'plat_live_...abcd', scopes: '[]', reason: 'a question' };
    await db.models.supportKey.create({
      ...{ id: newId('api_key'), tenant_id: newId('tenant'), created_by: newId('user'), ...key },
      ...{ created_at: now - DAY_MS, last_used_at: null, expires_at },
    });
  }
  expect(await runHousekeeping(options())).toMatchObject({ support_keys: 1, mail_counts: 1 });
  for (const table of ['support_keys', 'mail_counts']) {
    const rows = await selectOne(db, `SELECT COUNT(*) AS n, MIN(expires_at) AS next FROM ${table}`);
    expect(rows).toEqual({ n: 1, next: now + minute });
  }
});
