import type { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { dueNow } from './database-clock.ts';
import { violates } from './errors.ts';
import { execute, selectOne } from './sql.ts';
import { columnsExcept, insertColumns } from './statements.ts';
import { IDEMPOTENCY_KEYS, type IdempotencyKeyRow } from './tables/idempotency-keys.ts';
import { primaryKeyOf } from './tables/table.ts';

const INSERT = insertColumns(IDEMPOTENCY_KEYS, columnsExcept(IDEMPOTENCY_KEYS, ['status', 'answer']));

/** A key that a request claims. The database's clock dates the claim. */
export interface ClaimedKey extends HeldBy {
  readonly request_hash: Buffer;
  /** Time after which another request may take the key over, unless it is renewed, in ms. */
  readonly lockMs: number;
  /** Time for which the key is stored, in ms. */
  readonly ttlMs: number;
}

/** A claimed key, as the request that holds it names it. */
export type HeldBy = Pick<IdempotencyKeyRow, 'credential_id' | 'key_hash' | 'attempt'>;

/** A key that was used before, and its state by the database's clock. */
export type UsedKey = Pick<IdempotencyKeyRow, 'request_hash' | 'attempt' | 'status' | 'answer'> & {
  readonly is_expired: 0 | 1;
  readonly is_locked: 0 | 1;
};

const OF_KEY = 'credential_id = :credential_id AND key_hash = :key_hash';
/** Of a request that is still running. */
const IS_MINE = `${OF_KEY} AND attempt = :attempt AND status IS NULL`;

/** Claims a key. Resolves to false when the credential has used it before. */
export async function insertKey(db: Database, { lockMs, ttlMs, ...claimed }: ClaimedKey): Promise<boolean> {
  const now = dueNow(db);
  try {
    await execute(
      db,
      `${INSERT} VALUES (:credential_id, :key_hash, :request_hash, :attempt, ${now} + :lockMs, ${now}, ${now} + :ttlMs)`,
      { ...claimed, lockMs, ttlMs },
    );
    return true;
  } catch (error) {
    if (!violates(error, primaryKeyOf(IDEMPOTENCY_KEYS))) throw error;
    return false;
  }
}

export function findKey(db: Database, { credential_id, key_hash }: ClaimedKey): Promise<UsedKey | undefined> {
  const now = dueNow(db);
  const sql = `SELECT request_hash, attempt, status, answer, expires_at <= ${now} AS is_expired, locked_until > ${now} AS is_locked
    FROM idempotency_keys WHERE ${OF_KEY}`;
  return selectOne(db, sql, { credential_id, key_hash });
}

/**
 * Claims a key in place of an earlier attempt, by compare-and-swap: the update repeats the condition that allows it.
 * Resolves to false when that attempt has ended or renewed its lock meanwhile, or another request was faster.
 */
export async function takeKeyOver(
  db: Database,
  { lockMs, ttlMs, ...claimed }: ClaimedKey,
  { attempt: previous, is_expired }: UsedKey,
): Promise<boolean> {
  const now = dueNow(db);
  const mayTake = is_expired === 1 ? `expires_at <= ${now}` : `status IS NULL AND locked_until <= ${now}`;
  const taken = await execute(
    db,
    `UPDATE idempotency_keys
     SET attempt = :attempt, request_hash = :request_hash, locked_until = ${now} + :lockMs, status = NULL, answer = NULL,
         created_at = ${now}, expires_at = ${now} + :ttlMs
     WHERE ${OF_KEY} AND attempt = :previous AND ${mayTake}`,
    { ...claimed, lockMs, ttlMs, previous },
  );
  return taken > 0;
}

/** Renews the lock of a running request. Resolves to false when it has ended, or another request has taken the key over. */
export async function renewLock(db: Database, held: HeldBy, lockMs: number): Promise<boolean> {
  const sql = `UPDATE idempotency_keys SET locked_until = ${dueNow(db)} + :lockMs WHERE ${IS_MINE}`;
  return (await execute(db, sql, { ...held, lockMs })) > 0;
}

/** Stores the response to a request. Resolves to false when another request has taken the key over. */
export async function storeAnswer(
  db: Database,
  held: HeldBy,
  answer: { readonly status: number; readonly answer: Buffer },
  transaction: Transaction | null,
): Promise<boolean> {
  const sql = `UPDATE idempotency_keys SET status = :status, answer = :answer WHERE ${IS_MINE}`;
  return (await execute(db, sql, { ...held, ...answer }, transaction)) > 0;
}

/**
 * Deletes a key without a response, so that the next attempt claims it. A stored response stays: the connection may have
 * been lost while the database committed the change.
 */
export async function deleteKey(db: Database, held: HeldBy): Promise<void> {
  await execute(db, `DELETE FROM idempotency_keys WHERE ${IS_MINE}`, held);
}
