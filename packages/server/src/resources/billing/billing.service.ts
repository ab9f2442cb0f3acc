import type { Invoice, InvoiceListParams, Payment, PaymentListParams } from '@plat/contract';
import { INVOICE_VIEW, PAYMENT_VIEW, presentInvoice, presentPayment } from '../../accounts/present-billing.ts';
import type { Context } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { presentPage, selectPage } from '../../db/page.ts';
import { INVOICES } from '../../db/tables/invoices.ts';
import { PAYMENTS } from '../../db/tables/payments.ts';
import type { Page } from '../../http/route.ts';

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
