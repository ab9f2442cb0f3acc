import { id, instant, integer, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** The redacted bodies of a request, up to 16 KiB each, which a sandbox keeps for a day if it opted in. */
export const REQUEST_BODIES = defineTable('request_bodies', {
  tenant_id: primaryKey(id()),
  request_id: primaryKey(id()),
  /** Null if the request had no body, or none that was read. */
  request_body: nullable(longText()),
  /** Size of the whole body, in bytes. */
  request_bytes: integer(),
  response_body: nullable(longText()),
  /** Size of the whole body, in bytes. */
  response_bytes: integer(),
  expires_at: instant(),
});
export type RequestBodiesRow = RowOf<typeof REQUEST_BODIES>;
