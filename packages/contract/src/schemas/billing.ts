import { INVOICE_STATUSES, PAYMENT_STATUSES } from '../objects/billing.ts';
import { answer, nullable, page, params, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { currency, id, string, time } from './texts.ts';
import { always, array, count, minorUnits, oneOf } from './values.ts';

export const invoiceLine = answer('InvoiceLine', 'One line of an invoice.', {
  description: string('The charged item.', 'Growth, February 2026'),
  quantity: count('Quantity of the charged item.', 1),
  amount: minorUnits('Price of the whole line in minor units, such as cents; negative for a credit.', 4900),
});

export const invoice = answer('Invoice', 'An invoice of the tenant. Amounts are in minor units, such as cents.', {
  object: always('invoice'),
  id: id('invoice'),
  number: string('Invoice number, unique in the tenant.', 'INV-2026-0002'),
  status: oneOf(
    'InvoiceStatus',
    INVOICE_STATUSES,
    'Status of the invoice: `draft` until it is issued, `void` if it was withdrawn.',
    'paid',
  ),
  currency: currency(),
  amount_due: minorUnits('Total amount to pay.', 4900),
  amount_paid: minorUnits('Amount paid so far.', 4900),
  period_start: time('Start of the billing period.'),
  period_end: time('End of the billing period.'),
  due_at: nullable(time('Time at which payment is due; null for a draft.')),
  lines: array(invoiceLine, 'The lines of the invoice.'),
  ...times,
});

export const invoiceList = params('InvoiceListParams', 'Filters and paging for the list of invoices.', {
  ...page,
  status: oneOf('InvoiceStatus', INVOICE_STATUSES, 'Only invoices of this status.'),
});

export const payment = answer('Payment', 'A payment of an invoice, or an attempt to pay it.', {
  object: always('payment'),
  id: id('payment'),
  invoice_id: id('invoice'),
  status: oneOf('PaymentStatus', PAYMENT_STATUSES, 'Outcome of the payment.', 'succeeded'),
  currency: currency(),
  amount: minorUnits('Amount paid or attempted, in minor units such as cents.', 4900),
  method: string('Payment method, for example `card` or `bank_transfer`.', 'card'),
  ...times,
});

export const paymentList = params('PaymentListParams', 'Filters and paging for the list of payments.', {
  ...page,
  invoice_id: id('invoice', 'Only payments of this invoice.'),
});

export const operations = {
  'billing.invoices.list': {
    query: 'InvoiceListParams',
    answer: 'Invoice',
  },
  'billing.invoices.get': {
    answer: 'Invoice',
    errors: ['INVOICE_NOT_FOUND'],
  },
  'billing.payments.list': {
    query: 'PaymentListParams',
    answer: 'Payment',
  },
} as const satisfies Operations;
