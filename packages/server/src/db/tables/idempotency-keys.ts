import { hash, id, instant, integer, longBytes, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An Idempotency-Key with its first request, and the response when there is one. */
export const IDEMPOTENCY_KEYS = defineTable('idempotency_keys', {
  credential_id: primaryKey(id()),
  /** SHA-256 of the Idempotency-Key. */
  key_hash: primaryKey(hash()),
  request_hash: hash(),
  /** Id of the request that holds the key. Another request takes over after `locked_until`. */
  attempt: id(),
  locked_until: instant(),
  status: nullable(integer()),
  /** The response body, sealed: it may contain a secret that is shown once. */
  answer: nullable(longBytes()),
  created_at: instant(),
  expires_at: instant(),
});
export type IdempotencyKeyRow = RowOf<typeof IDEMPOTENCY_KEYS>;
