import { ascii, hash, instant, integer, longText, nullable, primaryKey, text } from './columns.ts';
import type { SessionRow } from './sessions.ts';
import { defineTable, type RowOf } from './table.ts';

/** What a browser asked for last: a link that was mailed, and the code beside it. */
export const SIGN_IN_LINKS = defineTable('sign_in_links', {
  kind: primaryKey(ascii<SessionRow['kind']>(16)),
  /** SHA-256 of the secret that only the browser has which asked. */
  browser_hash: primaryKey(hash()),
  /** As it was typed; it need not be anybody's. */
  email: text(254),
  /** null: the address is proven, and what is left is to choose a tenant. */
  token_hash: nullable(hash()),
  /** Keyed by the browser's secret: so short a text could be guessed from a plain hash. */
  code_hash: nullable(hash()),
  tries_left: integer(),
  /** The own path to go on at. */
  return_to: longText(),
  created_at: instant(),
  expires_at: instant(),
});
export type SignInLinkRow = RowOf<typeof SIGN_IN_LINKS>;
