import { constants } from 'node:os';
import { createTestServer, type TestServer, unitOfWork } from '@plat/server/testing';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, apiOf, expectRefusal } from '../support/api.ts';
import { type BreakableLine, startBreakableLine } from '../support/breakable-line.ts';
import type { DatabaseServer } from '../support/database-server.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startMysql } from '../support/mysql.ts';
import { spawnOperated } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const { kind } = inject('database');

// A separate server, because the other stories keep writing to theirs.
describe.runIf(kind !== 'sqlite')('on a database server that is switched', () => {
  let database: DatabaseServer;
  let root: Connection;
  const lines: BreakableLine[] = [];
  let server: TestServer;
  let apiKey: string;
  /** The servers have one master key. */
  const dataDir = tempFolder('failover').path;

  beforeAll(async () => {
    database = await (kind === 'mysql' ? startMysql() : startMariadb());
    const { host, port, user, password } = database;
    root = await createConnection({ host, port, user, password });
    await root.query('CREATE DATABASE plat');
    // The account of the tests may write to a read-only server.
    await root.query("CREATE USER ordinary@'127.0.0.1' IDENTIFIED BY 'secret'");
    await root.query("GRANT ALL PRIVILEGES ON plat.* TO ordinary@'127.0.0.1'");
    lines.push(await startBreakableLine(host, port), await startBreakableLine(host, port));
    const env = { PLAT_DISPATCH: 'false', PLAT_HOUSEKEEPING: 'false', PLAT_DATA_DIR: dataDir };
    server = await createTestServer({ databaseUrl: serverUrl(), env });
    ({ apiKey } = await server.createTenant());
  });

  afterAll(async () => {
    await server?.close();
    await root?.end();
    await Promise.all(lines.map((line) => line.break()));
    await database?.stop();
  });

  /** Address of the database through the lines. */
  function serverUrl(): string {
    return `mysql://ordinary:secret@${lines.map((line) => `127.0.0.1:${line.port}`).join(',')}/plat`;
  }

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

  test('a server that starts before the database accepts changes waits for it, and ends at SIGTERM meanwhile', async () => {
    const env = { DATABASE_URL: serverUrl(), PLAT_DISPATCH: 'false' };
    const start = () => spawnOperated({ ...env, LOG_LEVEL: 'info' }, tempFolder('waiting').path, []);
    const WAITS =
      /waiting up to a minute for a database server that accepts changes: the server does not accept changes/;
    await root.query('SET GLOBAL read_only = 1');
    const [ended, serving] = [start(), start()];
    await Promise.all([ended.waitFor(WAITS), serving.waitFor(WAITS)]);
    expect(await ended.stop()).toEqual({ code: 128 + constants.signals.SIGTERM, signal: null });
    await root.query('SET GLOBAL read_only = 0');
    await serving.waitFor(/"msg":"ready"|Base URL/);
    expect(await serving.stop()).toEqual({ code: 0, signal: null });
  });

  test('a server that loses the database while it starts begins again when the database is back', async () => {
    await root.query('LOCK TABLES plat.schema_migrations WRITE');
    const env = { DATABASE_URL: serverUrl(), PLAT_DISPATCH: 'false', LOG_LEVEL: 'info' };
    const starting = spawnOperated(env, tempFolder('lost').path, []);
    const waiting =
      "SELECT id FROM information_schema.processlist WHERE user = 'ordinary' AND state LIKE 'Waiting for table%'";
    await expect.poll(async () => (await root.query<RowDataPacket[]>(waiting))[0].length).toBeGreaterThan(0);
    await Promise.all(lines.map((line) => line.break()));
    await starting.waitFor(/waiting up to a minute for a database server that accepts changes/);
    await root.query('UNLOCK TABLES');
    await Promise.all(lines.map((line) => line.mend()));
    await starting.waitFor(/"msg":"ready"|Base URL/);
    expect(await starting.stop()).toEqual({ code: 0, signal: null });
  });

  test('an operator command does not wait for a database that accepts no changes', async () => {
    await root.query('SET GLOBAL read_only = 1');
    const listed = spawnOperated({ DATABASE_URL: serverUrl() }, tempFolder('listed').path, ['tenants', 'list']);
    expect(await listed.exited).toEqual({ code: 1, signal: null });
    expect(listed.stderr()).toMatch(/cannot use the database at .*: the server does not accept changes/);
    await root.query('SET GLOBAL read_only = 0');
  });

  test('a database that answers slowly is used', async () => {
    // Opening a connection takes several answers: together longer than a host may be silent.
    const slow = await startBreakableLine(database.host, database.port, 500);
    const url = `mysql://ordinary:secret@127.0.0.1:${slow.port}/plat`;
    const listed = spawnOperated({ DATABASE_URL: url }, tempFolder('slow').path, ['tenants', 'list']);
    expect(await listed.exited, listed.stderr()).toEqual({ code: 0, signal: null });
    await slow.break();
  });

  test('readiness is measured while all connections of the pool are in use', async () => {
    const small = await createTestServer({
      databaseUrl: serverUrl(),
      env: { PLAT_DISPATCH: 'false', PLAT_HOUSEKEEPING: 'false', PLAT_DB_POOL: '2', PLAT_DATA_DIR: dataDir },
    });
    const readiness = async () => {
      const { status, body } = await apiOf(small.baseUrl)('/readyz');
      return `${status} ${body.message ?? body.status}`;
    };
    const released = Promise.withResolvers<void>();
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = begun.map(({ resolve }) =>
      unitOfWork(small.db, () => {
        resolve();
        return released.promise;
      }),
    );
    await Promise.all(begun.map(({ promise }) => promise));
    // Results are reused for a second, so a change of the database shows that they are new.
    await root.query('RENAME TABLE plat.signing_keys TO plat.hidden_keys');
    await expect.poll(readiness).toMatch(/^503 Not ready: the database cannot be used/);
    await root.query('RENAME TABLE plat.hidden_keys TO plat.signing_keys');
    await expect.poll(readiness).toBe('200 ready');
    released.resolve();
    await Promise.all(held);
    await small.close();
  });

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
