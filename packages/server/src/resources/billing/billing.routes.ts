import { type Route, route } from '../../http/route.ts';
import { getInvoice, listInvoices, listPayments } from './billing.service.ts';

export const billingRoutes: readonly Route[] = [
  route('billing.invoices.list', {
    handle: (ctx, { query }) => listInvoices(ctx, query),
  }),
  route('billing.invoices.get', {
    handle: (ctx, { path }) => getInvoice(ctx, path.invoice_id),
  }),
  route('billing.payments.list', {
    handle: (ctx, { query }) => listPayments(ctx, query),
  }),
];
