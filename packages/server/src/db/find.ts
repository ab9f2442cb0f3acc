import { type ErrorCode, type IdKind, isId } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { ApiError } from '../kernel/api-error.ts';
import type { Database } from './database.ts';
import { forUpdate } from './row-lock.ts';
import { selectOne } from './sql.ts';
import { columnsOf } from './statements.ts';
import type { ColumnOf, RowOf, Table } from './tables/table.ts';

interface Finder {
  readonly db: Database;
  readonly tenantId: string;
  readonly transaction: Transaction | null;
}

interface Sought<T extends Table, Name extends ColumnOf<T>> {
  readonly table: T;
  /** All columns when absent. */
  readonly columns?: readonly Name[];
  readonly kind: IdKind;
  readonly id: string;
  /** The refusal when the row does not exist. */
  readonly missing: ErrorCode;
}

/**
 * Returns a row of the tenant by its id, locked when inside a transaction. A text that cannot be an id is not found,
 * and never reaches the database.
 * @throws {@link ApiError} the given code
 */
export async function findById<T extends Table, Name extends ColumnOf<T> = ColumnOf<T>>(
  { db, tenantId, transaction }: Finder,
  { table, columns, kind, id, missing }: Sought<T, Name>,
): Promise<Pick<RowOf<T>, Name>> {
  const row = isId(kind, id)
    ? await selectOne<Pick<RowOf<T>, Name>>(
        db,
        `SELECT ${(columns ?? columnsOf(table)).join(', ')} FROM ${table.name} WHERE tenant_id = :tenantId AND id = :id${transaction ? forUpdate(db) : ''}`,
        { tenantId, id },
        transaction,
      )
    : undefined;
  if (!row) throw new ApiError(missing, `There is no such ${kind.replaceAll('_', ' ')} in the tenant`);
  return row;
}
