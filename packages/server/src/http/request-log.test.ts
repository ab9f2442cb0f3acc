import type { Request, Response } from 'express';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import { measureInto } from '../kernel/meter.ts';
import { createRequestLog } from './request-log.ts';

afterEach(() => measureInto(null));

/** A log whose database begins to take entries, or refuses them, when the test says so. */
function heldLog(keep: 'all' | 'off' = 'all', refused?: 'request_bodies') {
  const held = Promise.withResolvers<void>();
  const written: Record<'requests' | 'request_bodies', number> = { requests: 0, request_bodies: 0 };
  const query = async (sql: string) => {
    await held.promise;
    const table = /INTO request_bodies/.test(sql) ? 'request_bodies' : 'requests';
    if (table === refused) throw new Error('no space');
    written[table] += sql.split('(:').length - 1;
    return sql.startsWith('INSERT') ? 1 : [];
  };
  const db = { kind: 'sqlite', sequelize: { getDialect: () => 'sqlite', query, options: { logging: false } } };
  const log = pino({ level: 'silent' });
  const warned = vi.spyOn(log, 'warn');
  const limits = { keep, days: 7, rows: { sandbox: 1_000_000, production: 1_000_000 } };
  const requests = createRequestLog({ db: db as unknown as Database, log, limits, keepAnonymous: false });
  const user = { tenantId: 'tnt_1', sandbox: true, capturesBodies: true };
  const req = { user, originalUrl: '/v1/clients', method: 'POST', get: () => undefined, body: Buffer.from('{}') };
  const record = (count: number) => {
    for (let n = 0; n < count; n++) {
      const res = { locals: { requestId: newId('request') }, statusCode: 201, writableFinished: true };
      const sent = { ...res, hasHeader: () => false };
      requests.record(req as unknown as Request, sent as unknown as Response, { startedAt: 0, durationMs: 1 });
    }
  };
  return { requests, record, written, warned, held };
}

test('while the database is slow, at most 5,000 entries wait, and bodies of the first 500', async () => {
  const add = vi.fn();
  measureInto({ add, set() {}, observe() {}, clear() {} });
  const { requests, record, written, warned, held } = heldLog();
  record(5_003);
  held.resolve();
  await requests.flush();
  expect(written).toEqual({ requests: 5_000, request_bodies: 500 });
  expect(warned.mock.calls).toEqual([[{ lost: 3 }, expect.any(String)]]);
  expect(add.mock.calls).toEqual(Array(3).fill(['plat_request_log_dropped_total', {}, 1]));
  record(1);
  await requests.close();
  expect(written).toEqual({ requests: 5_001, request_bodies: 501 });
});

test('entries that the database refuses are counted, and named in the log', async () => {
  const add = vi.fn();
  measureInto({ add, set() {}, observe() {}, clear() {} });
  const { requests, record, warned, held } = heldLog();
  record(7);
  held.reject(new Error('no space'));
  await requests.flush();
  expect(warned.mock.calls).toEqual([[{ lost: 7 }, expect.any(String)]]);
  expect(add.mock.calls).toEqual([['plat_request_log_dropped_total', {}, 7]]);
});

test('bodies that the database refuses are named alone, because their entries are stored', async () => {
  const add = vi.fn();
  measureInto({ add, set() {}, observe() {}, clear() {} });
  const { requests, record, written, warned, held } = heldLog('all', 'request_bodies');
  held.resolve();
  record(7);
  await requests.close();
  expect(written).toEqual({ requests: 7, request_bodies: 0 });
  expect(warned.mock.calls).toEqual([[{ lost: 7 }, expect.stringMatching(/^bodies are missing/)]]);
  expect(add).not.toHaveBeenCalled();
});

test('a log that is off keeps nothing', async () => {
  const { requests, record, written, held } = heldLog('off');
  held.resolve();
  record(1);
  await requests.close();
  expect(written).toEqual({ requests: 0, request_bodies: 0 });
});
