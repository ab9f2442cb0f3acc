import type { Migration } from './columns.ts';

/** The start of each signature of an attempt, which a receiver compares with the one that it received (decision 055). */
export const deliverySignatures: Migration = {
  name: '0040-delivery-signatures',
  async up({ types: t, addColumn }) {
    await addColumn('webhook_deliveries', `signature_starts ${t.ascii(64)} NULL`);
  },
};
