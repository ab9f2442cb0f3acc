import { INVOICE_STATUSES, PAYMENT_STATUSES } from '../objects/billing.ts';
import { answer, nullable, page, params, times } from './objects.ts';
import { currency, id, string, time } from './texts.ts';
import { always, array, count, minorUnits, oneOf } from './values.ts';

export const invoiceLine = answer('InvoiceLine', 'One line of an invoice.', {
  description: string('The charged item.', 'Growth, February 2026'),
  quantity: count('Number of items.', 1),
  amount: minorUnits('Price of the whole line in minor units, such as cents; below zero for a credit.', 4900),
});

export const invoice = answer('Invoice', 'An invoice of the tenant. Amounts are in minor units, such as cents.', {
  object: always('invoice'),
  id: id('invoice'),
  number: string('The number on the invoice, unique in the tenant.', 'INV-2026-0002'),
  status: oneOf('InvoiceStatus', INVOICE_STATUSES, '`draft` until it is issued, `void` when it was withdrawn.', 'paid'),
  currency: currency(),
  amount_due: minorUnits('The amount to be paid in all.', 4900),
  amount_paid: minorUnits('The amount paid so far.', 4900),
  period_start: time('Start of the billing period.'),
  period_end: time('End of the billing period.'),
  due_at: nullable(time('When it is to be paid; null for a draft.')),
  lines: array(invoiceLine, 'The lines of the invoice.'),
  ...times,
});

export const invoiceList = params('InvoiceListParams', 'Which invoices to list.', {
  ...page,
  status: oneOf('InvoiceStatus', INVOICE_STATUSES, 'Only invoices of this status.'),
});

export const payment = answer('Payment', 'A payment of an invoice.', {
  object: always('payment'),
  id: id('payment'),
  invoice_id: id('invoice'),
  status: oneOf('PaymentStatus', PAYMENT_STATUSES, 'Outcome of the payment.', 'succeeded'),
  currency: currency(),
  amount: minorUnits('The amount paid, or attempted, in minor units such as cents.', 4900),
  method: string('How it was paid, for example `card` or `bank_transfer`.', 'card'),
  ...times,
});

export const paymentList = params('PaymentListParams', 'Which payments to list.', {
  ...page,
  invoice_id: id('invoice', 'Only payments of this invoice.'),
});
