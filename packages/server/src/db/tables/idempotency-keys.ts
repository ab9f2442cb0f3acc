import { hash, id, instant, integer, longBytes, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** The first request with an Idempotency-Key, and its answer once there is one. */
export const IDEMPOTENCY_KEYS = defineTable('idempotency_keys', {
  credential_id: primaryKey(id()),
  /** SHA-256 of the Idempotency-Key. */
  key_hash: primaryKey(hash()),
  request_hash: hash(),
  /** The request that holds the key; another one takes over when its lock has run out. */
  attempt: id(),
  locked_until: instant(),
  status: nullable(integer()),
  /** The body, sealed: it may hold a secret that is shown once. */
  answer: nullable(longBytes()),
  created_at: instant(),
  expires_at: instant(),
});
export type IdempotencyKeyRow = RowOf<typeof IDEMPOTENCY_KEYS>;
