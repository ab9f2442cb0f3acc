import type { Database } from '../../db/database.ts';
import { migrate, readSchema } from '../../db/migrate.ts';
import { listOperations } from '../../db/migrations/operations.ts';

/**
 * One operation of a pending migration. A type alias, so that it is assignable to a printed row. The operation is last,
 * because it can be a long statement.
 */
type PlannedOperation = { readonly migration: string; readonly effect: string; readonly operation: string };

/** Lists the operations of the pending migrations, in the order in which they would run. Changes nothing. */
export async function planMigrations(db: Database): Promise<readonly PlannedOperation[]> {
  const { pending } = await readSchema(db);
  const dialect = db.kind === 'sqlite' ? 'sqlite' : 'server';
  const plans = await Promise.all(
    pending.map(async (migration) => {
      const operations = await listOperations(migration, dialect);
      return operations.map(({ text, effect }) => ({ migration: migration.name, effect, operation: text }));
    }),
  );
  return plans.flat();
}

/** Runs the pending migrations. */
export async function runMigrations(
  db: Database,
): Promise<readonly { readonly migration: string; readonly ms: number }[]> {
  return (await migrate(db)).map(({ name, ms }) => ({ migration: name, ms }));
}

/** A migration and its state. `newer`: it belongs to a newer version. */
export type MigrationStatus = { readonly migration: string; readonly state: 'applied' | 'pending' | 'newer' };

/** Lists the migrations of this version and of the database. */
export async function migrationStatus(db: Database): Promise<readonly MigrationStatus[]> {
  const { applied, pending, newer } = await readSchema(db);
  return [
    ...applied.map(({ name }) => ({ migration: name, state: 'applied' }) as const),
    ...pending.map(({ name }) => ({ migration: name, state: 'pending' }) as const),
    ...newer.map((migration) => ({ migration, state: 'newer' }) as const),
  ];
}
