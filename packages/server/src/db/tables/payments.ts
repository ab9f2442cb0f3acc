import type { PaymentStatus } from '@plat/contract';
import { ascii, bigint, id, instant, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A payment of an invoice. Amounts in minor units. */
export const PAYMENTS = defineTable(
  'payments',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    invoice_id: id(),
    status: ascii<PaymentStatus>(16),
    currency: ascii(3),
    amount: bigint(),
    method: ascii(63),
    created_at: instant(),
    updated_at: instant(),
    /** Name that the billing system gave the payment; null for the samples of a sandbox. */
    reference: nullable(ascii(63)),
  },
  [{ name: 'payments_reference', columns: ['tenant_id', 'reference'] }],
  {
    payments_invoice: ['invoice_id'],
  },
);
export type PaymentRow = RowOf<typeof PAYMENTS>;
