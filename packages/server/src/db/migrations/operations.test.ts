import { expect, test } from 'vitest';
import type { Migration } from './columns.ts';
import { MIGRATIONS } from './index.ts';
import { listOperations, type Operation } from './operations.ts';

/** Versions before this migration were upgraded while all processes were stopped. */
const FIRST_CHECKED = 24;

/**
 * Migrations that remove what no running version uses any more, by name, with the release that stopped using it. See
 * docs/upgrading.md.
 */
const CONTRACT_STEPS: Readonly<Record<string, string>> = {};

/** Returns the operations that a process of the previous version may not survive. */
async function breakingOperations(migration: Migration): Promise<readonly string[]> {
  const operations = await listOperations(migration, 'server');
  const created = new Set(operations.filter(({ kind }) => kind === 'createTable').map(({ table }) => table));
  const added = new Set(operations.filter(({ kind }) => kind === 'addColumn').map(columnOf));
  const filled = new Set(operations.filter(({ kind }) => kind === 'backfill').map(columnOf));
  const empty = new Set(operations.filter((one) => isEmptyColumn(one) && !filled.has(columnOf(one))).map(columnOf));
  return operations.filter((operation) => !isExpanding(operation, { created, added, empty })).map(({ text }) => text);
}

interface Context {
  readonly created: ReadonlySet<string | null>;
  readonly added: ReadonlySet<string>;
  /** Added columns that are null in every row that the previous version writes. */
  readonly empty: ReadonlySet<string>;
}

function isEmptyColumn({ kind, definition }: Operation): boolean {
  return kind === 'addColumn' && !/\b(?:NOT NULL|DEFAULT)\b/i.test(definition);
}

/** Table and name of the column that an operation adds or fills. */
const columnOf = ({ table, definition }: Operation): string => `${table}.${definition.split(' ', 1).join()}`;

function isExpanding(operation: Operation, { created, added, empty }: Context): boolean {
  if (created.has(operation.table)) return true;
  switch (operation.kind) {
    case 'createTable':
      return true;
    case 'backfill':
      // The previous version reads the other columns.
      return added.has(columnOf(operation));
    case 'addColumn':
      return !/\bNOT NULL\b/i.test(operation.definition) || /\bDEFAULT\b/i.test(operation.definition);
    case 'createIndex':
      // The previous version may write rows that a unique index refuses, unless a part of the index is null in them.
      return (
        !operation.isUnique ||
        operation.definition.split(', ').some((column) => empty.has(`${operation.table}.${column}`))
      );
    default:
      return false;
  }
}

test.each(MIGRATIONS.filter(({ name }) => Number(name.slice(0, 4)) >= FIRST_CHECKED))(
  '$name only expands the schema, so that the previous version runs on it',
  async (migration) => {
    if (migration.name in CONTRACT_STEPS) return;
    expect(await breakingOperations(migration)).toEqual([]);
  },
);

test.each<[string, Migration['up']]>([
  ['drop column clients.name', ({ dropColumn }) => dropColumn('clients', 'name')],
  ['drop index clients_name on clients', ({ dropIndex }) => dropIndex('clients_name', 'clients')],
  ['add column clients.rank', ({ addColumn }) => addColumn('clients', 'rank INT NOT NULL')],
  ['create unique index u on clients', ({ createIndex }) => createIndex('u', 'clients', ['name'], { unique: true })],
  [
    'create unique index u on clients',
    async ({ addColumn, createIndex }) => {
      await addColumn('clients', 'rank INT NOT NULL DEFAULT 0');
      await createIndex('u', 'clients', ['rank'], { unique: true });
    },
  ],
  [
    'create unique index u on clients',
    async ({ addColumn, backfill, createIndex }) => {
      await addColumn('clients', 'rank INT NULL');
      await backfill({ table: 'clients', column: 'rank', value: '1', key: ['tenant_id', 'id'] });
      await createIndex('u', 'clients', ['rank'], { unique: true });
    },
  ],
  [
    'fill clients.name with 1',
    ({ backfill }) => backfill({ table: 'clients', column: 'name', value: '1', key: ['tenant_id', 'id'] }),
  ],
  ['run ALTER TABLE clients RENAME TO c', ({ run }) => run('ALTER TABLE clients\n RENAME TO c')],
])('%s is refused', async (text, up) => {
  expect(await breakingOperations({ name: '9999-wrong', up })).toEqual([text]);
});

test.each<[string, Migration['up']]>([
  ['a nullable column', ({ addColumn }) => addColumn('clients', 'rank INT NULL')],
  ['a column with a default', ({ addColumn }) => addColumn('clients', 'rank INT NOT NULL DEFAULT 0')],
  [
    'a filled new column',
    async ({ addColumn, backfill }) => {
      await addColumn('clients', 'rank INT NULL');
      await backfill({ table: 'clients', column: 'rank', value: '1', key: ['tenant_id', 'id'] });
    },
  ],
  ['an index', ({ createIndex }) => createIndex('i', 'clients', ['name'])],
  [
    'a unique index of a new table',
    async ({ createTable, createIndex }) => {
      await createTable('ranks', ['id INT NOT NULL']);
      await createIndex('u', 'ranks', ['id'], { unique: true });
    },
  ],
  [
    'a unique index with a new column that is null',
    async ({ addColumn, createIndex }) => {
      await addColumn('clients', 'rank INT NULL');
      await createIndex('u', 'clients', ['tenant_id', 'rank'], { unique: true });
    },
  ],
])('%s is accepted', async (_, up) => {
  expect(await breakingOperations({ name: '9999-right', up })).toEqual([]);
});
