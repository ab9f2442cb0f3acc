import type { Migration } from './columns.ts';

/** Tables of which housekeeping deletes old rows: across tenants, in the order of their ids, which start with the time (decision 042). */
export const ageIndexes: Migration = {
  name: '0029-age-indexes',
  async up({ createIndex }) {
    for (const table of ['webhook_deliveries', 'events', 'webhook_replays', 'audit_events', 'requests']) {
      await createIndex(`${table}_age`, table, ['id']);
    }
  },
};
