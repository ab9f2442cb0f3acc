import { ascii, id, instant, longText, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A module of the platform. */
export const MODULES = defineTable(
  'modules',
  {
    id: primaryKey(id()),
    slug: ascii(63),
    name: text(200),
    description: text(500),
    /** JSON array of capability ids. */
    capabilities: longText(),
    launch_url: nullable(text(2048)),
    audience: nullable(text(200)),
    created_at: instant(),
    updated_at: instant(),
  },
  [{ name: 'modules_slug', columns: ['slug'] }],
);
export type ModuleRow = RowOf<typeof MODULES>;
