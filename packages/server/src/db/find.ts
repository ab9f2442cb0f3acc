import { type ErrorCode, type IdKind, isId } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { ApiError } from '../kernel/api-error.ts';
import type { Database } from './database.ts';
import { forUpdate } from './row-lock.ts';
import { selectOne } from './sql.ts';

interface Finder {
  readonly db: Database;
  readonly tenantId: string;
  readonly transaction: Transaction | null;
}

interface Sought {
  readonly table: string;
  readonly columns: readonly string[];
  readonly kind: IdKind;
  readonly id: string;
  /** The refusal when there is none. */
  readonly missing: ErrorCode;
}

/**
 * A row of the tenant by its id, locked when inside a transaction. A text that cannot be an id is simply not
 * found, and never reaches the database.
 * @throws {@link ApiError} the given code
 */
export async function findById<Row extends object>(
  { db, tenantId, transaction }: Finder,
  { table, columns, kind, id, missing }: Sought,
): Promise<Row> {
  const row = isId(kind, id)
    ? await selectOne<Row>(
        db,
        `SELECT ${columns.join(', ')} FROM ${table} WHERE tenant_id = :tenantId AND id = :id${transaction ? forUpdate(db) : ''}`,
        { tenantId, id },
        transaction,
      )
    : undefined;
  if (!row) throw new ApiError(missing, `There is no such ${kind.replaceAll('_', ' ')} in the tenant`);
  return row;
}
