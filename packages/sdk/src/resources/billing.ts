import type { Invoice, InvoiceListParams, Payment, PaymentListParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Invoices and payments of the tenant. Amounts are in minor units, for example cents. */
export interface Billing {
  /** Invoices of the tenant. */
  readonly invoices: Invoices;
  /** Payments of invoices. */
  readonly payments: Payments;
}

/** Methods for the invoices of the tenant. */
export interface Invoices {
  /** Lists invoices, newest first. Scope `billing:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: InvoiceListParams, options?: ListOptions): ListCall<Invoice>;
  /** Shows an invoice. Scope `billing:read`. @throws ApiError `INVOICE_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<Invoice>;
}

/** Methods for the payments of the tenant. */
export interface Payments {
  /** Lists payments, newest first. Scope `billing:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: PaymentListParams, options?: ListOptions): ListCall<Payment>;
}
