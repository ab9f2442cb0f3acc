import { createTestServer, execute } from '@plat/server/testing';
import { createConnection } from 'mysql2/promise';
import { afterAll, expect, inject, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const foreign = await freshDatabase();
afterAll(() => foreign.drop());

/** Asserts that a command ends with one line on stderr and exit code 1, without any effect. */
async function expectRefused(databaseUrl: string, args: readonly string[], line: RegExp): Promise<void> {
  const command = spawnNode('packages/server/src/main.ts', {
    args,
    env: { PORT: '0', DATABASE_URL: databaseUrl, PLAT_DATA_DIR: tempFolder('refused').path },
  });
  expect(await command.exited).toEqual({ code: 1, signal: null });
  expect(command.stderr()).toMatch(line);
  expect(command.stderr().trim().split('\n')).toHaveLength(1);
  expect(command.stdout()).toBe('');
}

test('a database that has a table of the same name already is refused, with the migration and the cause', async () => {
  const server = await createTestServer({ databaseUrl: foreign.url });
  for (const statement of [
    "DELETE FROM schema_migrations WHERE name = '0002-clients'",
    'DROP TABLE clients',
    'CREATE TABLE clients (a INTEGER)',
  ]) {
    await execute(server.db, statement);
  }
  await server.close();
  await expectRefused(foreign.url, ['migrate', 'up'], /^plat-server: the migration 0002-clients failed: .*\S$/m);
});

test.runIf(inject('database').kind !== 'sqlite')(
  'an account without rights is refused in one line, with advice',
  async () => {
    const [empty, used] = await Promise.all([freshDatabase(), freshDatabase()]);
    const server = await createTestServer({ databaseUrl: used.url });
    const { tenantId } = await server.createTenant();
    await server.close();
    const root = await createConnection(used.url);
    await root.query("CREATE USER reader@127.0.0.1 IDENTIFIED BY 'reads'");
    for (const { url } of [empty, used]) await root.query(`GRANT SELECT ON ${nameOf(url)}.* TO reader@127.0.0.1`);
    const asReader = (url: string) => Object.assign(new URL(url), { username: 'reader', password: 'reads' }).href;
    await expectRefused(
      asReader(empty.url),
      ['migrate', 'up'],
      /^plat-server: the database cannot be migrated: .*denied/,
    );
    await expectRefused(
      asReader(used.url),
      ['tenants', 'rename', tenantId, 'Acme'],
      /^plat-server: the database reports: .*denied.*; give the account of DATABASE_URL all rights on the database$/m,
    );
    await root.query('DROP USER reader@127.0.0.1');
    await root.end();
    await Promise.all([empty.drop(), used.drop()]);
  },
);

const nameOf = (url: string): string => new URL(url).pathname.slice(1);
