import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { migrationDatabase } from '../db/migrations/columns.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const source = fileURLToPath(new URL('../', import.meta.url));

/** Every statement that the migrations run on a MySQL. */
async function schema(): Promise<string> {
  const statements: string[] = [];
  const query = {
    sequelize: {
      async query(sql: string) {
        statements.push(sql);
        return [];
      },
    },
    showIndex: async () => [],
    describeTable: async () => ({}),
  };
  // The few functions of Sequelize's that a migration comes to.
  const database = migrationDatabase(query as unknown as Parameters<typeof migrationDatabase>[0], 'server');
  for (const migration of MIGRATIONS) await migration.up(database);
  return statements.join(';\n');
}

/** The files of the server, but its tests, that match. */
function filesWith(pattern: RegExp): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\.fixture\.ts$|^testing\//.test(path))
    .filter((path) => pattern.test(readFileSync(join(source, path), 'utf8')))
    .sort();
}

test('`secrets reencrypt` covers every column of bytes; hashes have another type', async () => {
  const statements = await schema();
  const columns = [...statements.matchAll(/(?:CREATE TABLE IF NOT EXISTS|ALTER TABLE) (\w+)([^;]*)/g)].flatMap(
    ([, table = '', text = '']) =>
      [...text.matchAll(/(\w+) (?:VARBINARY|\w*BLOB)/g)].map(([, column]) => `${table}.${column}`),
  );
  expect(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(columns.sort());
});

test('the primary keys equal those of the tables', async () => {
  const statements = await schema();
  for (const { table, key } of SEALED_COLUMNS) {
    const [, columns] = new RegExp(`${table} \\([^;]*PRIMARY KEY \\(([^)]*)\\)`).exec(statements) ?? [];
    expect(columns, table).toBe(key.join(', '));
  }
});

test('the files that seal or derive keys are known: docs/operating.md lists what ends with the old key', () => {
  expect(filesWith(/\.seal\(/)).toEqual([
    'events/endpoints/endpoint-secret.ts',
    'http/idempotency.ts',
    'launch/key-pair.ts',
    'mail/queue-mail.ts',
    'ops/commands/tenant-import.ts',
    'ops/reencrypt.ts',
  ]);
  expect(filesWith(/\.keysFor\(/)).toEqual([
    'accounts/session-middleware.ts',
    'oauth/authorize/consent-form.ts',
    'oauth/refresh-token.ts',
    'oauth/token-endpoint.ts',
  ]);
});
