import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { openMigrated } from '../db/migrated-file.ts';
import { insertRequests, REQUESTS_AT_ONCE, type RequestRow } from '../db/requests.ts';
import { selectOne } from '../db/sql.ts';
import { newId } from '../kernel/ids.ts';
import { createRequestTrimmer, type RequestTrimmer } from './request-trimmer.ts';

const ROWS = 2_000;
/** Two entries of this process start the trimming. */
const KEEP = 10;

let folder: string;
let db: Database;
let trimmer: RequestTrimmer;
let tenantId: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-trimmer-'));
  db = await openMigrated(folder);
  trimmer = createRequestTrimmer(db, pino({ level: 'silent' }));
  tenantId = newId('tenant');
  for (let at = 0; at < ROWS; at += REQUESTS_AT_ONCE) {
    await insertRequests(
      db,
      Array.from({ length: REQUESTS_AT_ONCE }, (_, n) => requestAt(at + n)),
    );
  }
});
afterEach(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

function requestAt(ms: number): RequestRow {
  return {
    ...{ tenant_id: tenantId, id: newId('request', ms), method: 'GET', path: '/v1/me', query: null, operation: null },
    ...{ outcome: 'succeeded', status: 200, code: null, refusal: null, credential_type: null, credential_id: null },
    ...{ app_id: null, idempotency_key: null, idempotent_replayed: 0, ip: null, user_agent: null },
    ...{ duration_us: 1, created_at: ms },
  };
}

function start(): void {
  trimmer.count(tenantId, KEEP);
  trimmer.count(tenantId, KEEP);
}

async function rowsLeft(): Promise<number | undefined> {
  const sql = 'SELECT COUNT(*) AS n FROM requests WHERE tenant_id = :tenantId';
  return (await selectOne<{ n: number }>(db, sql, { tenantId }))?.n;
}

test('the event loop turns between two batches', async () => {
  let turns = 0;
  let isOver = false;
  const countTurn = (): void => {
    turns++;
    if (!isOver) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  start();
  await trimmer.settled();
  isOver = true;
  expect(await rowsLeft()).toBe(KEEP);
  expect(turns).toBeGreaterThanOrEqual(9);
});

test('a stopped trimmer leaves the remaining rows to housekeeping', async () => {
  start();
  await trimmer.stop();
  expect(await rowsLeft()).toBe(ROWS);
});

test('a trimmer that is stopped at work ends after the batch', async () => {
  start();
  for (let left: number | undefined = ROWS; left === ROWS; left = await rowsLeft()) await turn();
  await trimmer.stop();
  expect(await rowsLeft()).toBeGreaterThan(KEEP);
});

test('a tenant that was trimmed starts from 0 again', async () => {
  start();
  await trimmer.settled();
  await insertRequests(db, [requestAt(ROWS)]);
  trimmer.count(tenantId, KEEP);
  await trimmer.settled();
  expect(await rowsLeft()).toBe(KEEP + 1);
});

test('when too many tenants are counted, a tenant without recent entries starts from 0 again', async () => {
  trimmer.count(tenantId, KEEP);
  for (let n = 0; n < 10_000; n++) trimmer.count(`tnt_${n}`, KEEP);
  trimmer.count(tenantId, KEEP);
  await trimmer.settled();
  expect(await rowsLeft()).toBe(ROWS);
});
