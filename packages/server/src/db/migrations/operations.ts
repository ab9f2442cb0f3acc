import { columnTypes, type Migration, type MigrationDatabase } from './columns.ts';

/** One operation of a migration, as it would run. */
export interface Operation {
  readonly kind: 'createTable' | 'addColumn' | 'createIndex' | 'dropIndex' | 'dropColumn' | 'backfill' | 'statement';
  readonly table: string | null;
  /** The operation in words. */
  readonly text: string;
  /** Its effect on running processes. */
  readonly effect: string;
  /** The added column, or the columns of the index, as given. */
  readonly definition: string;
  readonly isUnique: boolean;
}

/** Lists the operations of a migration without running them: reads return no row, and every object is absent. */
export async function listOperations(
  migration: Migration,
  dialect: 'sqlite' | 'server',
): Promise<readonly Operation[]> {
  const operations: Operation[] = [];
  const add = (
    kind: Operation['kind'],
    table: string | null,
    text: string,
    definition = '',
    isUnique = false,
  ): Promise<void> => {
    operations.push({ kind, table, text, effect: EFFECTS[dialect][kind], definition, isUnique });
    return Promise.resolve();
  };
  const recorder: MigrationDatabase = {
    types: columnTypes(dialect),
    createTable: (name) => add('createTable', name, `create table ${name}`),
    createIndex: (name, table, columns, { unique = false } = {}) =>
      add(
        'createIndex',
        table,
        `create ${unique ? 'unique ' : ''}index ${name} on ${table}`,
        columns.join(', '),
        unique,
      ),
    dropIndex: (name, table) => add('dropIndex', table, `drop index ${name} on ${table}`),
    addColumn: (table, column) => add('addColumn', table, `add column ${table}.${column.split(' ', 1).join()}`, column),
    dropColumn: (table, column) => add('dropColumn', table, `drop column ${table}.${column}`),
    backfill: ({ table, column, value }) => add('backfill', table, `fill ${table}.${column} with ${value}`, column),
    read: () => Promise.resolve([]),
    run: (sql) => add('statement', null, `run ${sql.replace(/\s+/g, ' ').trim()}`),
  };
  await migration.up(recorder);
  return operations;
}

const EFFECTS: Readonly<Record<'sqlite' | 'server', Readonly<Record<Operation['kind'], string>>>> = {
  server: {
    createTable: 'none',
    addColumn: 'none: metadata only',
    createIndex: 'reads the table; changes continue',
    dropIndex: 'none: metadata only',
    dropColumn: 'rewrites the table',
    backfill: 'in batches; changes continue',
    statement: 'locks the rows that it changes',
  },
  // SQLite has one writer for each file.
  sqlite: {
    createTable: 'none',
    addColumn: 'none: metadata only',
    createIndex: 'changes wait while it reads the table',
    dropIndex: 'none: metadata only',
    dropColumn: 'changes wait while it rewrites the table',
    backfill: 'in batches; changes continue',
    statement: 'changes wait for it',
  },
};
