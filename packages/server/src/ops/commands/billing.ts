import { type InvoiceContent, invoiceFile, type PaymentContent, paymentFile } from '../../accounts/billing-content.ts';
import { putInvoice } from '../../accounts/invoices.ts';
import { recordPayment } from '../../accounts/payments.ts';
import { type Change, OPERATOR, openChange } from '../../change.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { type Operator, readJsonFile } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/** Creates or changes the invoice of a JSON file. */
export async function putInvoiceFile(operator: Operator, tenantId: string, path: string) {
  const { number, ...content } = (await readJsonFile(path, invoiceFile)) as InvoiceContent & {
    readonly number: string;
  };
  const {
    object: _,
    lines: __,
    ...invoice
  } = await changeBilling(operator, tenantId, (change) => putInvoice(change, number, content));
  return invoice;
}

/** Records or refunds the payment of a JSON file. */
export async function recordPaymentFile(operator: Operator, tenantId: string, path: string) {
  const { reference, ...content } = (await readJsonFile(path, paymentFile)) as PaymentContent & {
    readonly reference: string;
  };
  const { object: _, ...payment } = await changeBilling(operator, tenantId, (change) =>
    recordPayment(change, reference, content),
  );
  return { ...payment, reference };
}

function changeBilling<T>({ db, now }: Operator, tenantId: string, work: (change: Change) => Promise<T>): Promise<T> {
  return unitOfWork(db, async (transaction) => {
    await tenantOf(db, tenantId, transaction);
    return work(openChange({ db, tenantId, now }, transaction, OPERATOR));
  });
}
