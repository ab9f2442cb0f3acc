import type { Invoice, InvoiceLine, InvoiceListParams, Payment, PaymentListParams } from '@plat/contract';
import type { Context } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { filter, selectPage } from '../../db/page.ts';
import type { InvoiceRow } from '../../db/tables/invoices.ts';
import type { PaymentRow } from '../../db/tables/payments.ts';
import type { Page } from '../../http/route.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';

const INVOICE_COLUMNS = [
  'id',
  'number',
  'status',
  'currency',
  'amount_due',
  'amount_paid',
  'period_start',
  'period_end',
  'due_at',
  'invoice_lines',
  'created_at',
  'updated_at',
] as const;

const PAYMENT_COLUMNS = [
  'id',
  'invoice_id',
  'status',
  'currency',
  'amount',
  'method',
  'created_at',
  'updated_at',
] as const;

type InvoiceView = Pick<InvoiceRow, (typeof INVOICE_COLUMNS)[number]>;
type PaymentView = Pick<PaymentRow, (typeof PAYMENT_COLUMNS)[number]>;

export async function listInvoices(ctx: Context, params: InvoiceListParams): Promise<Page<Invoice>> {
  const { rows, hasMore } = await selectPage<InvoiceView>(ctx.db, {
    table: 'invoices',
    columns: INVOICE_COLUMNS,
    kind: 'invoice',
    tenantId: ctx.tenantId,
    params,
    where: filter('status', params.status),
  });
  return { data: rows.map(presentInvoice), hasMore };
}

export async function getInvoice(ctx: Context, id: string): Promise<Invoice> {
  const missing = 'INVOICE_NOT_FOUND';
  return presentInvoice(
    await findById(ctx, { table: 'invoices', columns: INVOICE_COLUMNS, kind: 'invoice', id, missing }),
  );
}

export async function listPayments(ctx: Context, params: PaymentListParams): Promise<Page<Payment>> {
  const { rows, hasMore } = await selectPage<PaymentView>(ctx.db, {
    table: 'payments',
    columns: PAYMENT_COLUMNS,
    kind: 'payment',
    tenantId: ctx.tenantId,
    params,
    where: filter('invoice_id', params.invoice_id),
  });
  return { data: rows.map(presentPayment), hasMore };
}

function presentInvoice(row: InvoiceView): Invoice {
  const { invoice_lines: lines, ...rest } = row;
  return {
    object: 'invoice',
    ...rest,
    period_start: isoTime(row.period_start),
    period_end: isoTime(row.period_end),
    due_at: isoTimeOrNull(row.due_at),
    lines: JSON.parse(lines) as InvoiceLine[],
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

function presentPayment(row: PaymentView): Payment {
  return { object: 'payment', ...row, created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) };
}
