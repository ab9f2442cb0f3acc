import type { Invoice, InvoiceStatus } from '@plat/contract';
import type { Change } from '../change.ts';
import { changedFields } from '../db/changes.ts';
import { lockTenant } from '../db/row-lock.ts';
import type { InvoiceRow } from '../db/tables/invoices.ts';
import { refusal } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import { laterThan } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { InvoiceContent } from './billing-content.ts';
import { presentInvoice } from './present-billing.ts';

/**
 * Creates the invoice with a number, or changes it. The same content again changes nothing. No event: the
 * specification has none for invoices.
 * @throws {@link ApiError} INVALID_BODY, UNPROCESSABLE
 */
export async function putInvoice(change: Change, number: string, content: InvoiceContent): Promise<Invoice> {
  const { db, transaction, tenantId, now } = change;
  const { lines, period_start, period_end, due_at, status, ...rest } = content;
  const given = {
    ...rest,
    period_start: Date.parse(period_start),
    period_end: Date.parse(period_end),
    due_at: due_at === null ? null : Date.parse(due_at),
    invoice_lines: JSON.stringify(
      lines.map(({ description, quantity, amount }) => ({ description, quantity, amount })),
    ),
  };
  if (given.period_end < given.period_start) {
    throw refusal('INVALID_BODY', [{ path: 'period_end', message: 'must not be before period_start' }]);
  }
  await lockTenant(db, tenantId, transaction);
  const before = await findInvoice(change, number);
  if (!before) {
    const row = withStatus(
      {
        ...{ tenant_id: tenantId, id: newId('invoice', now), number, amount_paid: 0, ...given },
        ...{ created_at: now, updated_at: now },
      },
      status,
    );
    await db.models.invoice.create(row, { transaction });
    const created = presentInvoice(row);
    await change.audit({ action: 'invoice.created', target: { type: 'invoice', id: row.id }, at: now });
    return created;
  }
  if (before.amount_paid > 0 && status !== 'open') {
    throw new ApiError('UNPROCESSABLE', `The invoice has payments: refund them before it becomes ${status}`);
  }
  if (before.currency !== given.currency && (await hasPayments(change, before.id))) {
    throw new ApiError('UNPROCESSABLE', `The invoice has payments in ${before.currency}: its currency stays`);
  }
  return storeInvoice(change, before, withStatus({ ...before, ...given }, status));
}

/** Returns the invoice of a number, locked; or null. */
export function findInvoice({ db, transaction, tenantId }: Change, number: string): Promise<InvoiceRow | null> {
  return db.models.invoice.findOne({ where: { tenant_id: tenantId, number }, transaction, lock: true, raw: true });
}

/** Adds an amount to the paid amount of an invoice, negative for a refund. */
export async function addPaid(change: Change, before: InvoiceRow, amount: number): Promise<void> {
  const after = { ...before, amount_paid: before.amount_paid + amount };
  await storeInvoice(change, before, withStatus(after, before.status === 'paid' ? 'open' : before.status));
}

/** An open invoice that is fully paid is `paid`. */
function withStatus(row: Omit<InvoiceRow, 'status'>, status: InvoiceStatus): InvoiceRow {
  return { ...row, status: status === 'open' && row.amount_paid >= row.amount_due ? 'paid' : status };
}

async function storeInvoice(change: Change, before: InvoiceRow, row: InvoiceRow): Promise<Invoice> {
  const { db, transaction, now } = change;
  const old = presentInvoice(before);
  const changes = changedFields(old, presentInvoice(row));
  if (Object.keys(changes).length === 0) return old;
  const { tenant_id, id, ...columns } = { ...row, updated_at: laterThan(before.updated_at, now) };
  await db.models.invoice.update(columns, { where: { tenant_id, id }, transaction });
  await change.audit({ action: 'invoice.updated', target: { type: 'invoice', id }, changes, at: columns.updated_at });
  return presentInvoice({ id, ...columns });
}

async function hasPayments({ db, transaction, tenantId }: Change, invoiceId: string): Promise<boolean> {
  const where = { tenant_id: tenantId, invoice_id: invoiceId };
  return (await db.models.payment.findOne({ where, transaction, raw: true })) !== null;
}
