import { ascii, id, instant, integer, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** The settings of a tenant, created with it. */
export const SETTINGS = defineTable('settings', {
  tenant_id: primaryKey(id()),
  default_timezone: ascii(64),
  default_locale: ascii(64),
  support_email: nullable(text(254)),
  launch_token_ttl_seconds: integer(),
  created_at: instant(),
  updated_at: instant(),
});
export type SettingsRow = RowOf<typeof SETTINGS>;
