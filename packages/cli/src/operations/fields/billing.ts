import { INVOICE_STATUSES } from '@plat/contract';
import { oneOf, text } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';

export const BILLING_FIELDS: FamilyFields<'billing.invoices' | 'billing.payments'> = {
  'billing.invoices.list': {
    status: oneOf(INVOICE_STATUSES, 'only invoices in this status'),
  },
  'billing.payments.list': {
    invoice_id: text('only payments of this invoice', 'id'),
  },
};
