import { ascii, id, instant, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A location of a client or of a group. */
export const LOCATIONS = defineTable(
  'locations',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    /** Id of the client or the group. */
    owner_id: id(),
    /** `owner_id` in the default location, null in the others: a unique index allows one default per owner. */
    default_of: nullable(id()),
    name: text(200),
    address: nullable(text(500)),
    timezone: ascii(64),
    country: ascii(2),
    created_at: instant(),
    updated_at: instant(),
  },
  [{ name: 'locations_default', columns: ['tenant_id', 'default_of'] }],
  {
    locations_owner: ['owner_id'],
  },
);
export type LocationRow = RowOf<typeof LOCATIONS>;
