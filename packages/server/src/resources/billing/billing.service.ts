import type { Invoice, InvoiceLine, InvoiceListParams, Payment, PaymentListParams } from '@plat/contract';
import type { Context } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { presentPage, selectPage } from '../../db/page.ts';
import { columnsExcept } from '../../db/statements.ts';
import { INVOICES, type InvoiceRow } from '../../db/tables/invoices.ts';
import { PAYMENTS, type PaymentRow } from '../../db/tables/payments.ts';
import type { Page } from '../../http/route.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';

const INVOICE_VIEW = columnsExcept(INVOICES, ['tenant_id']);
const PAYMENT_VIEW = columnsExcept(PAYMENTS, ['tenant_id']);

type InvoiceView = Pick<InvoiceRow, (typeof INVOICE_VIEW)[number]>;
type PaymentView = Pick<PaymentRow, (typeof PAYMENT_VIEW)[number]>;

export async function listInvoices(ctx: Context, params: InvoiceListParams): Promise<Page<Invoice>> {
  const page = await selectPage(ctx.db, {
    table: INVOICES,
    columns: INVOICE_VIEW,
    kind: 'invoice',
    tenantId: ctx.tenantId,
    params,
    filters: { status: params.status },
  });
  return presentPage(page, presentInvoice);
}

export async function getInvoice(ctx: Context, id: string): Promise<Invoice> {
  const missing = 'INVOICE_NOT_FOUND';
  return presentInvoice(await findById(ctx, { table: INVOICES, columns: INVOICE_VIEW, kind: 'invoice', id, missing }));
}

export async function listPayments(ctx: Context, params: PaymentListParams): Promise<Page<Payment>> {
  const page = await selectPage(ctx.db, {
    table: PAYMENTS,
    columns: PAYMENT_VIEW,
    kind: 'payment',
    tenantId: ctx.tenantId,
    params,
    filters: { invoice_id: params.invoice_id },
  });
  return presentPage(page, presentPayment);
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
