import type { ListParams } from './list.ts';

export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** One line of an invoice. */
export interface InvoiceLine {
  readonly description: string;
  readonly quantity: number;
  /** Of the whole line, in minor units. */
  readonly amount: number;
}

/** What the tenant is asked to pay. Amounts are in minor units, for example cents. */
export interface Invoice {
  readonly object: 'invoice';
  readonly id: string;
  readonly number: string;
  readonly status: InvoiceStatus;
  /** ISO 4217, for example `EUR`. */
  readonly currency: string;
  readonly amount_due: number;
  readonly amount_paid: number;
  readonly period_start: string;
  readonly period_end: string;
  readonly due_at: string | null;
  readonly lines: readonly InvoiceLine[];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface InvoiceListParams extends ListParams {
  readonly status?: InvoiceStatus;
}

export const PAYMENT_STATUSES = ['succeeded', 'failed', 'refunded'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** A payment of an invoice. */
export interface Payment {
  readonly object: 'payment';
  readonly id: string;
  readonly invoice_id: string;
  readonly status: PaymentStatus;
  /** ISO 4217, for example `EUR`. */
  readonly currency: string;
  /** In minor units, for example cents. */
  readonly amount: number;
  /** How it was paid, for example `card` or `bank_transfer`. */
  readonly method: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface PaymentListParams extends ListParams {
  readonly invoice_id?: string;
}
