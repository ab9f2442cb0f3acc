import type { UniqueIndex } from '../errors.ts';
import { ascii, hash, id, instant, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

export const DEVICE_USER_CODE: UniqueIndex = { name: 'device_logins_user', columns: ['user_hash'] };

/** A login of a command line, pending or answered (RFC 8628). */
export const DEVICE_LOGINS = defineTable(
  'device_logins',
  {
    /** SHA-256 of the device code, which only the command line has. */
    device_hash: primaryKey(hash()),
    /** SHA-256 of the user code, which the developer compares. */
    user_hash: hash(),
    client_name: text(200),
    ip: nullable(ascii(64)),
    status: ascii<'pending' | 'approved' | 'denied' | 'used'>(16),
    /** The developer who answered; null while pending. */
    developer_id: nullable(id()),
    /** The token that it was exchanged for. */
    token_id: nullable(id()),
    created_at: instant(),
    expires_at: instant(),
  },
  [DEVICE_USER_CODE],
);
export type DeviceLoginRow = RowOf<typeof DEVICE_LOGINS>;
