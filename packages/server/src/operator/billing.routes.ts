import type { ErrorCode } from '@plat/contract';
import { type JsonSchema, object, SCHEMAS, type SchemaName } from '@plat/contract/schemas';
import {
  billingName,
  type InvoiceContent,
  invoiceContent,
  type PaymentContent,
  paymentContent,
} from '../accounts/billing-content.ts';
import { putInvoice } from '../accounts/invoices.ts';
import { recordPayment } from '../accounts/payments.ts';
import type { Caller } from '../auth/credential.ts';
import type { WriteContext } from '../context.ts';
import type { AnyRoute } from '../http/route.ts';
import { validate } from '../http/validate.ts';

export const billingRoutes: readonly AnyRoute[] = [
  put({
    name: 'operator.invoices.put',
    path: '/operator/v1/tenants/{tenant_id}/invoices/{number}',
    summary: 'Create or change an invoice of a tenant',
    parameter: 'number',
    body: invoiceContent,
    answer: 'Invoice',
    errors: ['UNPROCESSABLE'],
    run: (ctx, number, body: InvoiceContent) => putInvoice(ctx, number, body),
  }),
  put({
    name: 'operator.payments.put',
    path: '/operator/v1/tenants/{tenant_id}/payments/{reference}',
    summary: 'Record a payment of an invoice, or its refund',
    parameter: 'reference',
    body: paymentContent,
    answer: 'Payment',
    errors: ['INVOICE_NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE'],
    run: (ctx, reference, body: PaymentContent) => recordPayment(ctx, reference, body),
  }),
];

interface Put<Body> {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  /** The parameter of the path that names the object. */
  readonly parameter: string;
  readonly body: JsonSchema;
  readonly answer: SchemaName;
  readonly errors: readonly ErrorCode[];
  run(ctx: WriteContext<Caller>, name: string, body: Body): Promise<unknown>;
}

function put<Body>({ name, path, summary, parameter, body, answer, errors, run }: Put<Body>): AnyRoute {
  const pathSchema = object({ [parameter]: billingName }, [parameter]);
  return {
    name,
    operation: { method: 'PUT', path, scope: null, status: 200, summary, emits: [], list: false },
    query: null,
    body,
    response: SCHEMAS[answer],
    errors,
    read: notRead,
    // The pipeline has checked the body by its schema.
    write: (ctx, input) => {
      const given = input.path[parameter];
      validate('INVALID_REQUEST', pathSchema, { [parameter]: given });
      return run(ctx, given ?? '', input.body as Body);
    },
  };
}

function notRead(): never {
  throw new Error('a PUT is not a read');
}
