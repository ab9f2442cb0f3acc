import { expect, test } from 'vitest';
import { useServer } from '../support/story.ts';

const story = useServer();

/** Tables that no service reads: the list of migrations, and the lease under which they run. */
const OF_MIGRATIONS = ['migration_lease', 'schema_migrations'];

/** The part of a Sequelize model that is compared. */
interface DefinedModel {
  readonly tableName: string;
  readonly options: { readonly indexes?: readonly { readonly name?: string; readonly fields?: readonly unknown[] }[] };
  getAttributes(): Readonly<Record<string, DefinedColumn>>;
}

interface DefinedColumn {
  readonly type: unknown;
  readonly allowNull?: boolean;
  readonly primaryKey?: boolean;
  readonly defaultValue?: unknown;
}

interface DescribedColumn {
  readonly type: string;
  readonly allowNull: boolean;
  readonly primaryKey: boolean;
  readonly defaultValue: string | null;
}

interface DescribedIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly primary?: boolean;
  /** SQLite's `pk` origin marks the index of the primary key. */
  readonly origin?: string;
  readonly fields: readonly { readonly attribute: string }[];
}

/**
 * Text, bytes or a number. On a server, text has its length too. SQLite has no lengths, and models have one size of
 * TEXT.
 */
function typeFamily(type: string, hasLengths: boolean): string {
  if (/BLOB|BINARY/i.test(type)) return 'bytes';
  if (/INT/i.test(type)) return hasLengths && /BIGINT/i.test(type) ? 'bigint' : 'integer';
  return hasLengths ? type.toUpperCase().replace('MEDIUMTEXT', 'TEXT') : 'text';
}

/** SQLite and MariaDB quote a default. */
function unquoted(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value).replace(/^'(.*)'$/, '$1');
}

function declaredColumns(model: DefinedModel, hasLengths: boolean): object {
  const attributes = Object.entries(model.getAttributes());
  return Object.fromEntries(
    attributes.map(([name, { type, allowNull, primaryKey, defaultValue }]) => [
      name,
      {
        type: typeFamily(String(type), hasLengths),
        allowNull,
        primaryKey: primaryKey ?? false,
        defaultValue: unquoted(defaultValue),
      },
    ]),
  );
}

async function migratedColumns(model: DefinedModel, hasLengths: boolean): Promise<object> {
  const query = story.server.db.sequelize.getQueryInterface();
  const columns: Record<string, DescribedColumn> = await query.describeTable(model.tableName);
  return Object.fromEntries(
    Object.entries(columns).map(([name, { type, allowNull, primaryKey, defaultValue }]) => [
      name,
      { type: typeFamily(type, hasLengths), allowNull, primaryKey, defaultValue: unquoted(defaultValue) },
    ]),
  );
}

async function migratedUniqueIndexes(model: DefinedModel): Promise<object> {
  const query = story.server.db.sequelize.getQueryInterface();
  const indexes = (await query.showIndex(model.tableName)) as readonly DescribedIndex[];
  const unique = indexes.filter((index) => index.unique && index.primary !== true && index.origin !== 'pk');
  return Object.fromEntries(unique.map(({ name, fields }) => [name, fields.map(({ attribute }) => attribute)]));
}

test('every table of the migrated schema has a model', async () => {
  const { db } = story.server;
  const tables = await db.sequelize.getQueryInterface().showAllTables();
  const models = Object.values(db.models).map(({ tableName }) => tableName);
  expect([...models, ...OF_MIGRATIONS].toSorted()).toEqual(tables.toSorted());
});

test('every model has the columns, the primary key and the unique indexes of its migrated table', async () => {
  const { db } = story.server;
  const hasLengths = db.kind !== 'sqlite';
  const models: readonly DefinedModel[] = Object.values(db.models);
  for (const model of models) {
    const declared = declaredColumns(model, hasLengths);
    expect({ [model.tableName]: declared }).toEqual({ [model.tableName]: await migratedColumns(model, hasLengths) });
    const unique = (model.options.indexes ?? []).map(({ name, fields }) => [name, fields]);
    expect({ [model.tableName]: Object.fromEntries(unique) }).toEqual({
      [model.tableName]: await migratedUniqueIndexes(model),
    });
  }
});
