import type { UniqueIndex } from '../errors.ts';
import { ascii, instant, longBytes, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

export const SIGNING_KEY_SLOT: UniqueIndex = { name: 'signing_keys_slot', columns: ['slot'] };

/** `next` is published and does not sign yet, `current` signs, `previous` has signed, `retired` is no longer published. */
export type SigningKeyStatus = 'next' | 'current' | 'previous' | 'retired';

/** A key that signs launch tokens. */
export const SIGNING_KEYS = defineTable(
  'signing_keys',
  {
    /** RFC 7638 thumbprint of the public key. */
    kid: primaryKey(ascii(64)),
    status: ascii<SigningKeyStatus>(16),
    /** The status, for statuses that at most one key may have: a unique index keeps two processes from creating two. */
    slot: nullable(ascii<'next' | 'current'>(16)),
    /** JSON of the public members. */
    public_jwk: longText(),
    /** Sealed; null once the key no longer signs. */
    private_key: nullable(longBytes()),
    /** Time of creation and publication. */
    created_at: instant(),
    current_at: nullable(instant()),
    replaced_at: nullable(instant()),
    retired_at: nullable(instant()),
  },
  [SIGNING_KEY_SLOT],
);
export type SigningKeyRow = RowOf<typeof SIGNING_KEYS>;
