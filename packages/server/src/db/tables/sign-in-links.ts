import { ascii, hash, instant, integer, longText, nullable, primaryKey, text } from './columns.ts';
import type { SessionRow } from './sessions.ts';
import { defineTable, type RowOf } from './table.ts';

/** The latest sign-in request of a browser: a mailed link with its code. */
export const SIGN_IN_LINKS = defineTable('sign_in_links', {
  kind: primaryKey(ascii<SessionRow['kind']>(16)),
  /** SHA-256 of the secret in the cookie of the browser. */
  browser_hash: primaryKey(hash()),
  /** The address as typed. It may belong to no account. */
  email: text(254),
  /** null once the address is proven and a tenant is still to be chosen. */
  token_hash: nullable(hash()),
  /** HMAC keyed by the browser's secret: the code is too short for a plain hash. */
  code_hash: nullable(hash()),
  tries_left: integer(),
  /** The path to continue at after signing in. */
  return_to: longText(),
  created_at: instant(),
  expires_at: instant(),
});
export type SignInLinkRow = RowOf<typeof SIGN_IN_LINKS>;
