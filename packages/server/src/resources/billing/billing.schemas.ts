import {
  INVOICE_STATUSES,
  type Invoice,
  type InvoiceLine,
  type InvoiceListParams,
  PAYMENT_STATUSES,
  type Payment,
  type PaymentListParams,
} from '@plat/contract';
import {
  array,
  currency,
  describe,
  id,
  integer,
  listFields,
  minorUnits,
  nullable,
  object,
  oneOf,
  optional,
  string,
  timestamp,
} from '../../http/rules.ts';

const line = describe(
  object<InvoiceLine>('InvoiceLine', {
    description: describe(string(), 'What is charged.', 'Growth, February 2026'),
    quantity: describe(integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), 'How many of it.', 1),
    amount: describe(minorUnits(), 'Price of the whole line; below zero for a credit.', 4900),
  }),
  'One line of an invoice.',
);

export const invoice = describe(
  object<Invoice>('Invoice', {
    object: oneOf(['invoice']),
    id: id('invoice'),
    number: describe(string(), 'The number on the invoice, unique in the tenant.', 'INV-2026-0002'),
    status: describe(oneOf(INVOICE_STATUSES), '`draft` until it is issued, `void` when it was withdrawn.', 'paid'),
    currency: currency(),
    amount_due: describe(minorUnits(), 'What is to be paid in all.', 4900),
    amount_paid: describe(minorUnits(), 'What was paid of it.', 4900),
    period_start: describe(timestamp(), 'Beginning of the time that it is for.'),
    period_end: describe(timestamp(), 'End of the time that it is for.'),
    due_at: describe(nullable(timestamp()), 'When it is to be paid; null for a draft.'),
    lines: describe(array(line), 'What it is made of.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'What the tenant is asked to pay.',
);

export const invoiceList = object<InvoiceListParams>({
  ...listFields,
  status: optional(describe(oneOf(INVOICE_STATUSES), 'Only invoices of this status.')),
});

export const payment = describe(
  object<Payment>('Payment', {
    object: oneOf(['payment']),
    id: id('payment'),
    invoice_id: id('invoice'),
    status: describe(oneOf(PAYMENT_STATUSES), 'What came of it.', 'succeeded'),
    currency: currency(),
    amount: describe(minorUnits(), 'What was paid, or tried to be.', 4900),
    method: describe(string(), 'How it was paid, for example `card` or `bank_transfer`.', 'card'),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A payment of an invoice.',
);

export const paymentList = object<PaymentListParams>({
  ...listFields,
  invoice_id: optional(describe(id('invoice'), 'Only payments of this invoice.')),
});
