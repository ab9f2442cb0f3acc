import type { AppDisabler, AppVerification } from '@plat/contract';
import { ascii, hash, id, instant, integer, longText, nullable, primaryKey, text, withDefault } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An app that tenants can give access to, with its secret as a hash. */
export const OAUTH_APPS = defineTable(
  'oauth_apps',
  {
    id: primaryKey(id()),
    developer_id: id(),
    name: text(200),
    website: nullable(text(2048)),
    /** JSON array, compared byte for byte. */
    redirect_uris: longText(),
    /** JSON array of scopes. */
    scopes: longText(),
    verification: ascii<AppVerification>(16),
    /** The reviewer's note. */
    verification_note: nullable(text(500)),
    /** null while the app is enabled. */
    disabled_by: nullable(ascii<AppDisabler>(16)),
    secret_hash: hash(),
    /** Hash of the previous secret, which is accepted until `previous_secret_expires_at`. */
    previous_secret_hash: nullable(hash()),
    previous_secret_expires_at: nullable(instant()),
    /** Changed by each lock of the row. */
    locks: withDefault(integer(), 0),
    created_at: instant(),
    updated_at: instant(),
  },
  [],
  {
    oauth_apps_developer: ['developer_id'],
    oauth_apps_verification: ['verification'],
  },
);
export type OAuthAppRow = RowOf<typeof OAUTH_APPS>;
