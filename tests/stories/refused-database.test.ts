import { createTestServer, execute } from '@plat/server/testing';
import { afterAll, expect, test } from 'vitest';
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
