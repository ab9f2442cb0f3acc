import { ascii, instant, primaryKey } from './columns.ts';
import { defineTable } from './table.ts';

/** A fact about the database as a whole: `production` once a production server has used it. */
export const INSTALLATION = defineTable('installation', {
  fact: primaryKey(ascii(32)),
  recorded_at: instant(),
});
