import type { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { violates } from './errors.ts';
import { execute, selectOne } from './sql.ts';
import { columnsExcept, insertInto } from './statements.ts';
import { IDEMPOTENCY_KEYS, type IdempotencyKeyRow } from './tables/idempotency-keys.ts';
import { primaryKeyOf } from './tables/table.ts';

export type { IdempotencyKeyRow };

/** A key that a request claims. */
export type ClaimedKey = Omit<IdempotencyKeyRow, 'status' | 'answer'>;

/** A claimed key, as the request that holds it names it. */
export type HeldBy = Pick<IdempotencyKeyRow, 'credential_id' | 'key_hash' | 'attempt'>;

const INSERT = insertInto(IDEMPOTENCY_KEYS, columnsExcept(IDEMPOTENCY_KEYS, ['status', 'answer']));
const READ = columnsExcept(IDEMPOTENCY_KEYS, ['credential_id', 'key_hash', 'created_at']);
const OF_KEY = 'credential_id = :credential_id AND key_hash = :key_hash';

/** Claims a key. Resolves to false when the credential has used it before. */
export async function insertKey(db: Database, claimed: ClaimedKey): Promise<boolean> {
  try {
    await execute(db, INSERT, claimed);
    return true;
  } catch (error) {
    if (!violates(error, primaryKeyOf(IDEMPOTENCY_KEYS))) throw error;
    return false;
  }
}

export function findKey(
  db: Database,
  { credential_id, key_hash }: ClaimedKey,
): Promise<Pick<IdempotencyKeyRow, (typeof READ)[number]> | undefined> {
  const sql = `SELECT ${READ.join(', ')} FROM idempotency_keys WHERE ${OF_KEY}`;
  return selectOne(db, sql, { credential_id, key_hash });
}

/** Claims a key in place of an earlier attempt. Resolves to false when another request was faster. */
export async function takeKeyOver(db: Database, claimed: ClaimedKey, previous: string): Promise<boolean> {
  const taken = await execute(
    db,
    `UPDATE idempotency_keys
     SET attempt = :attempt, request_hash = :request_hash, locked_until = :locked_until, status = NULL, answer = NULL,
         created_at = :created_at, expires_at = :expires_at
     WHERE ${OF_KEY} AND attempt = :previous`,
    { ...claimed, previous },
  );
  return taken > 0;
}

/** Stores the response to a request. Resolves to false when another request has taken the key over. */
export async function storeAnswer(
  db: Database,
  held: HeldBy,
  answer: { readonly status: number; readonly answer: Buffer },
  transaction: Transaction | null,
): Promise<boolean> {
  const sql = `UPDATE idempotency_keys SET status = :status, answer = :answer WHERE ${OF_KEY} AND attempt = :attempt`;
  return (await execute(db, sql, { ...held, ...answer }, transaction)) > 0;
}

/** Deletes a key without a response, so that the next attempt claims it. */
export async function deleteKey(db: Database, held: HeldBy): Promise<void> {
  await execute(db, `DELETE FROM idempotency_keys WHERE ${OF_KEY} AND attempt = :attempt`, held);
}
