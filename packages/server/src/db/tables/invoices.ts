import type { InvoiceStatus } from '@plat/contract';
import { ascii, bigint, id, instant, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An invoice of a tenant. Amounts in minor units. */
export const INVOICES = defineTable(
  'invoices',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    number: ascii(63),
    status: ascii<InvoiceStatus>(16),
    currency: ascii(3),
    amount_due: bigint(),
    amount_paid: bigint(),
    period_start: instant(),
    period_end: instant(),
    due_at: nullable(instant()),
    /** JSON array; `lines` is a reserved word. */
    invoice_lines: longText(),
    created_at: instant(),
    updated_at: instant(),
  },
  [{ name: 'invoices_number', columns: ['tenant_id', 'number'] }],
  {
    invoices_status: ['status'],
  },
);
export type InvoiceRow = RowOf<typeof INVOICES>;
