import type { Migration } from './columns.ts';

/** The name that the billing system gave a payment, by which a repeat is recognized. */
export const paymentReferences: Migration = {
  name: '0036-payment-references',
  async up({ types: t, addColumn, createIndex }) {
    await addColumn('payments', `reference ${t.ascii(63)} NULL`);
    await createIndex('payments_reference', 'payments', ['tenant_id', 'reference'], { unique: true });
  },
};
