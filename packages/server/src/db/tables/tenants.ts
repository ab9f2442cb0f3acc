import { ascii, bigint, id, instant, integer, longText, nullable, primaryKey, text, withDefault } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A customer of the platform, to which most other rows belong. */
export const TENANTS = defineTable(
  'tenants',
  {
    id: primaryKey(id()),
    name: text(200),
    status: ascii<'active' | 'suspended'>(16),
    plan_id: nullable(id()),
    sandbox: integer<0 | 1>(),
    created_at: instant(),
    updated_at: instant(),
    /** Grows with each lock of the row: a cluster detects conflicts of written rows only. */
    locks: withDefault(bigint(), 0),
    /** JSON: the quotas that the operator set for the tenant; null for the defaults. */
    quotas: nullable(longText()),
    /** End of the grace after `tenants delete`: housekeeping then deletes everything of the tenant. null for the others. */
    delete_after: nullable(instant()),
    /** 1 for a sandbox whose request log keeps bodies. */
    captures_bodies: withDefault(integer<0 | 1>(), 0),
  },
  [],
  {
    tenants_status: ['status'],
  },
);
export type TenantRow = RowOf<typeof TENANTS>;
