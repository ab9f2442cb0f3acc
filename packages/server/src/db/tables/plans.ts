import type { PlanInterval } from '@plat/contract';
import { ascii, bigint, id, instant, longText, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A plan of the platform. */
export const PLANS = defineTable(
  'plans',
  {
    id: primaryKey(id()),
    slug: ascii(63),
    name: text(200),
    currency: ascii(3),
    amount: bigint(),
    /** `interval` is a reserved word. */
    billing_interval: ascii<PlanInterval>(16),
    /** JSON array of capability ids. */
    capabilities: longText(),
    created_at: instant(),
    updated_at: instant(),
  },
  [{ name: 'plans_slug', columns: ['slug'] }],
);
export type PlanRow = RowOf<typeof PLANS>;
