import { ascii, bigint, id, instant, integer, longText, nullable, primaryKey, text, withDefault } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A customer of the platform: what every other row belongs to. */
export const TENANTS = defineTable('tenants', {
  id: primaryKey(id()),
  name: text(200),
  status: ascii<'active' | 'suspended'>(16),
  plan_id: nullable(id()),
  sandbox: integer<0 | 1>(),
  created_at: instant(),
  updated_at: instant(),
  locks: withDefault(bigint(), 0),
  quotas: nullable(longText()),
});
export type TenantRow = RowOf<typeof TENANTS>;
