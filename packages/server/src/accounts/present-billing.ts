import type { Invoice, InvoiceLine, Payment } from '@plat/contract';
import { columnsExcept } from '../db/statements.ts';
import { INVOICES, type InvoiceRow } from '../db/tables/invoices.ts';
import { PAYMENTS, type PaymentRow } from '../db/tables/payments.ts';
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts';

/** The columns that the API shows. */
export const INVOICE_VIEW = columnsExcept(INVOICES, ['tenant_id']);
export const PAYMENT_VIEW = columnsExcept(PAYMENTS, ['tenant_id', 'reference']);

type InvoiceView = Pick<InvoiceRow, (typeof INVOICE_VIEW)[number]>;
type PaymentView = Pick<PaymentRow, (typeof PAYMENT_VIEW)[number]>;

export function presentInvoice(row: InvoiceView): Invoice {
  return {
    object: 'invoice',
    id: row.id,
    number: row.number,
    status: row.status,
    currency: row.currency,
    amount_due: row.amount_due,
    amount_paid: row.amount_paid,
    period_start: isoTime(row.period_start),
    period_end: isoTime(row.period_end),
    due_at: isoTimeOrNull(row.due_at),
    lines: JSON.parse(row.invoice_lines) as InvoiceLine[],
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

export function presentPayment(row: PaymentView): Payment {
  return {
    object: 'payment',
    id: row.id,
    invoice_id: row.invoice_id,
    status: row.status,
    currency: row.currency,
    amount: row.amount,
    method: row.method,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
