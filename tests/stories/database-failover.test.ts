import { createTestServer, type TestServer } from '@plat/server/testing';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, apiOf, expectRefusal } from '../support/api.ts';
import { type BreakableLine, startBreakableLine } from '../support/breakable-line.ts';
import type { DatabaseServer } from '../support/database-server.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startMysql } from '../support/mysql.ts';

const { kind } = inject('database');

// A separate server, because the other stories keep writing to theirs.
describe.runIf(kind !== 'sqlite')('on a database server that is switched', () => {
  let database: DatabaseServer;
  let root: Connection;
  const lines: BreakableLine[] = [];
  let server: TestServer;
  let apiKey: string;

  beforeAll(async () => {
    database = await (kind === 'mysql' ? startMysql() : startMariadb());
    const { host, port, user, password } = database;
    root = await createConnection({ host, port, user, password });
    await root.query('CREATE DATABASE plat');
    // The account of the tests may write to a read-only server.
    await root.query("CREATE USER ordinary@'127.0.0.1' IDENTIFIED BY 'secret'");
    await root.query("GRANT ALL PRIVILEGES ON plat.* TO ordinary@'127.0.0.1'");
    lines.push(await startBreakableLine(host, port), await startBreakableLine(host, port));
    const hosts = lines.map((line) => `127.0.0.1:${line.port}`).join(',');
    const env = { PLAT_DISPATCH: 'false', PLAT_HOUSEKEEPING: 'false' };
    server = await createTestServer({ databaseUrl: `mysql://ordinary:secret@${hosts}/plat`, env });
    ({ apiKey } = await server.createTenant());
  });

  afterAll(async () => {
    await server?.close();
    await root?.end();
    await Promise.all(lines.map((line) => line.break()));
    await database?.stop();
  });

  /** Writes ten times at once and asserts that each response is a success, or a 503 with its headers. */
  async function write(): Promise<readonly number[]> {
    const api = apiOf(server.baseUrl, apiKey);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api('/v1/clients', { body: { name: 'Switched' } })),
    );
    for (const answer of answers) if (answer.status !== 201) expectUnavailable(answer);
    return answers.map(({ status }) => status);
  }

  const ready = async (): Promise<number> => (await apiOf(server.baseUrl)('/readyz')).status;
  const all = (status: number): number[] => Array<number>(10).fill(status);

  test('while the server is read-only, writes and readiness are answered 503, and recover with it', async () => {
    expect(await write()).toEqual(all(201));
    await root.query('SET GLOBAL read_only = 1');
    await expect.poll(write).toEqual(all(503));
    await expect.poll(ready).toBe(503);
    await root.query('SET GLOBAL read_only = 0');
    await expect.poll(write).toEqual(all(201));
    await expect.poll(ready).toBe(200);
  });

  test('readiness detects a read-only server without a write of a client', async () => {
    await root.query('SET GLOBAL read_only = 1');
    await expect.poll(ready).toBe(503);
    await root.query('SET GLOBAL read_only = 0');
    await expect.poll(ready).toBe(200);
    await expect.poll(write).toEqual(all(201));
  });

  test('connections that lead nowhere are given up, and the next host of the list is used', async () => {
    expect(await write()).toEqual(all(201));
    lines[0]?.stall();
    await expect.poll(write).toEqual(all(201));
    await expect.poll(ready).toBe(200);
  });
});

function expectUnavailable(answer: Answer): void {
  expectRefusal(answer, 'SERVICE_UNAVAILABLE');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}
