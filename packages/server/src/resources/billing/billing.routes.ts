import { type Route, route } from '../../http/route.ts';
import { invoice, invoiceList, payment, paymentList } from './billing.schemas.ts';
import { getInvoice, listInvoices, listPayments } from './billing.service.ts';

export const billingRoutes: readonly Route[] = [
  route('billing.invoices.list', {
    query: invoiceList,
    response: invoice,
    handle: (ctx, { query }) => listInvoices(ctx, query),
  }),
  route('billing.invoices.get', {
    response: invoice,
    errors: ['INVOICE_NOT_FOUND'],
    handle: (ctx, { path }) => getInvoice(ctx, path.invoice_id),
  }),
  route('billing.payments.list', {
    query: paymentList,
    response: payment,
    handle: (ctx, { query }) => listPayments(ctx, query),
  }),
];
