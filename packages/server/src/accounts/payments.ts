import type { Payment } from '@plat/contract';
import type { Change } from '../change.ts';
import { changedFields } from '../db/changes.ts';
import { lockTenant } from '../db/row-lock.ts';
import type { PaymentRow } from '../db/tables/payments.ts';
import { ApiError } from '../kernel/api-error.ts';
import { laterThan } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { PaymentContent } from './billing-content.ts';
import { addPaid, findInvoice } from './invoices.ts';
import { presentPayment } from './present-billing.ts';

/**
 * Records the payment with a reference, which also counts on its invoice. The same content again changes nothing. Later
 * only its status changes, from `succeeded` to `refunded`. No event: the specification has none for payments.
 * @throws {@link ApiError} INVOICE_NOT_FOUND, CONFLICT, UNPROCESSABLE
 */
export async function recordPayment(change: Change, reference: string, content: PaymentContent): Promise<Payment> {
  const { db, transaction, tenantId, now } = change;
  const { invoice_number, ...given } = content;
  await lockTenant(db, tenantId, transaction);
  const invoice = await findInvoice(change, invoice_number);
  if (!invoice) throw new ApiError('INVOICE_NOT_FOUND', `The tenant has no invoice with the number ${invoice_number}`);
  const where = { tenant_id: tenantId, reference };
  const before = await db.models.payment.findOne({ where, transaction, lock: true, raw: true });
  if (before) {
    const after = { ...before, ...given, invoice_id: invoice.id };
    const changed = Object.keys(changedFields(presentPayment(before), presentPayment(after)));
    if (changed.length === 0) return presentPayment(before);
    if (changed.join() !== 'status' || before.status !== 'succeeded' || after.status !== 'refunded') {
      throw new ApiError(
        'CONFLICT',
        `Another payment has the reference ${reference}: different ${changed.join(', ')}. A payment changes from succeeded to refunded only`,
      );
    }
    const refunded = await refund(change, before);
    await addPaid(change, invoice, -before.amount);
    return refunded;
  }
  if (invoice.currency !== given.currency) {
    throw new ApiError('UNPROCESSABLE', `The invoice is in ${invoice.currency}, the payment in ${given.currency}`);
  }
  const isPaid = given.status === 'succeeded';
  if (isPaid && (invoice.status === 'draft' || invoice.status === 'void')) {
    throw new ApiError('UNPROCESSABLE', `The invoice is ${invoice.status}: only an open invoice can be paid`);
  }
  const own = { tenant_id: tenantId, id: newId('payment', now), invoice_id: invoice.id, reference };
  const row: PaymentRow = { ...own, ...given, created_at: now, updated_at: now };
  await db.models.payment.create(row, { transaction });
  await change.audit({ action: 'payment.recorded', target: { type: 'payment', id: row.id }, at: now });
  if (isPaid) await addPaid(change, invoice, row.amount);
  return presentPayment(row);
}

async function refund(change: Change, before: PaymentRow): Promise<Payment> {
  const { db, transaction, now } = change;
  const row = { ...before, status: 'refunded' as const, updated_at: laterThan(before.updated_at, now) };
  const { tenant_id, id, status, updated_at } = row;
  await db.models.payment.update({ status, updated_at }, { where: { tenant_id, id }, transaction });
  await change.audit({
    action: 'payment.refunded',
    target: { type: 'payment', id },
    changes: { status: { before: before.status, after: status } },
    at: updated_at,
  });
  return presentPayment(row);
}
