import { type InvoiceLine, type InvoiceStatus, PAYMENT_STATUSES, type PaymentStatus } from '@plat/contract';
import {
  array,
  currency,
  integer,
  type JsonSchema,
  minorUnits,
  nullable,
  object,
  oneOf,
  text,
  time,
} from '@plat/contract/schemas';

/** Statuses that a billing system sets. `paid` follows from the payments. */
const GIVEN_STATUSES = ['draft', 'open', 'void'] as const satisfies readonly InvoiceStatus[];

/** An invoice as a billing system sends it, beside its number. Amounts in minor units, times in ISO 8601. */
export interface InvoiceContent {
  readonly status: (typeof GIVEN_STATUSES)[number];
  readonly currency: string;
  readonly amount_due: number;
  readonly period_start: string;
  readonly period_end: string;
  readonly due_at: string | null;
  readonly lines: readonly InvoiceLine[];
}

/** A payment as a billing system sends it, beside its reference. Amount in minor units. */
export interface PaymentContent {
  readonly invoice_number: string;
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly amount: number;
  readonly method: string;
}

/** Small enough that the sum of thousands of payments is a safe integer. */
const MAX_AMOUNT = 999_999_999_999;
const MAX_LINES = 500;

/** Schema of the number of an invoice and of the reference of a payment: the names that the billing system gives. */
export const billingName: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 63,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:/-]*$',
  'x-message': 'must be letters, digits and . _ : / -, beginning with a letter or digit',
};

const invoiceFields = {
  status: oneOf(null, GIVEN_STATUSES),
  currency: currency(),
  amount_due: integer(0, MAX_AMOUNT),
  period_start: time(),
  period_end: time(),
  due_at: nullable(time()),
  lines: array(
    object({ description: text(500), quantity: integer(0, MAX_AMOUNT), amount: minorUnits('', 0) }, [
      'description',
      'quantity',
      'amount',
    ]),
    undefined,
    { max: MAX_LINES },
  ),
};

const paymentFields = {
  invoice_number: billingName,
  status: oneOf(null, PAYMENT_STATUSES),
  currency: currency(),
  amount: integer(1, MAX_AMOUNT),
  method: {
    type: 'string',
    minLength: 1,
    maxLength: 63,
    pattern: '^[a-z0-9]+(?:_[a-z0-9]+)*$',
    'x-message': 'must be lower-case letters, digits and single underscores, for example bank_transfer',
  },
} as const;

/** Schema of {@link InvoiceContent}. */
export const invoiceContent = object(invoiceFields, Object.keys(invoiceFields));
/** Schema of {@link PaymentContent}. */
export const paymentContent = object(paymentFields, Object.keys(paymentFields));

/** Schema of {@link InvoiceContent} with the number, for files. */
export const invoiceFile = object({ number: billingName, ...invoiceFields }, ['number', ...Object.keys(invoiceFields)]);
/** Schema of {@link PaymentContent} with the reference, for files. */
export const paymentFile = object({ reference: billingName, ...paymentFields }, [
  'reference',
  ...Object.keys(paymentFields),
]);
