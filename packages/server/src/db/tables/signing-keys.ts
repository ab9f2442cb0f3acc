import type { UniqueIndex } from '../errors.ts';
import { ascii, instant, longBytes, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

export const SIGNING_KEY_SLOT: UniqueIndex = { name: 'signing_keys_slot', columns: ['slot'] };

/** `next` is published and does not sign yet, `current` signs, `previous` has signed, `retired` is published no more. */
export type SigningKeyStatus = 'next' | 'current' | 'previous' | 'retired';

/** A key of launch tokens. */
export const SIGNING_KEYS = defineTable(
  'signing_keys',
  {
    /** RFC 7638 thumbprint: another key has another one, for ever. */
    kid: primaryKey(ascii(64)),
    status: ascii<SigningKeyStatus>(16),
    /** The status of which there is one key at most: two processes cannot both make it. */
    slot: nullable(ascii<'next' | 'current'>(16)),
    /** JSON with the public members only. */
    public_jwk: longText(),
    /** Sealed; null once it is not to sign any more. */
    private_key: nullable(longBytes()),
    /** When it was made, and published. */
    created_at: instant(),
    current_at: nullable(instant()),
    replaced_at: nullable(instant()),
    retired_at: nullable(instant()),
  },
  [SIGNING_KEY_SLOT],
);
export type SigningKeyRow = RowOf<typeof SIGNING_KEYS>;
