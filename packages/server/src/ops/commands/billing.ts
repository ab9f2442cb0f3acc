import { type InvoiceContent, invoiceFile, type PaymentContent, paymentFile } from '../../accounts/billing-content.ts';
import { putInvoice } from '../../accounts/invoices.ts';
import { recordPayment } from '../../accounts/payments.ts';
import { changeTenant } from './change-tenant.ts';
import { type Operator, readJsonFile } from './operator.ts';

/** Creates or changes the invoice of a JSON file. */
export async function putInvoiceFile(operator: Operator, tenantId: string, path: string) {
  const { number, ...content } = (await readJsonFile(path, invoiceFile)) as InvoiceContent & {
    readonly number: string;
  };
  const {
    object: _,
    lines: __,
    ...invoice
  } = await changeTenant(operator, tenantId, (change) => putInvoice(change, number, content));
  return invoice;
}

/** Records or refunds the payment of a JSON file. */
export async function recordPaymentFile(operator: Operator, tenantId: string, path: string) {
  const { reference, ...content } = (await readJsonFile(path, paymentFile)) as PaymentContent & {
    readonly reference: string;
  };
  const { object: _, ...payment } = await changeTenant(operator, tenantId, (change) =>
    recordPayment(change, reference, content),
  );
  return { ...payment, reference };
}
