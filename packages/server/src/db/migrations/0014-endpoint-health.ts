import type { Migration } from './columns.ts';

/** The recent results of each endpoint's attempts, and since when it has missed events because it was disabled. */
export const endpointHealth: Migration = {
  name: '0014-endpoint-health',
  async up({ types: t, addColumn, createIndex }) {
    await addColumn('webhook_endpoints', `consecutive_failures ${t.integer} NOT NULL DEFAULT 0`);
    await addColumn('webhook_endpoints', `failing_since ${t.instant} NULL`);
    await addColumn('webhook_endpoints', `pauses ${t.integer} NOT NULL DEFAULT 0`);
    await addColumn('webhook_endpoints', `paused_until ${t.instant} NULL`);
    await addColumn('webhook_endpoints', `warned_at ${t.instant} NULL`);
    await addColumn('webhook_endpoints', `missed_since ${t.instant} NULL`);
    await addColumn('webhook_endpoints', `missed_until ${t.instant} NULL`);
    await createIndex('webhook_endpoints_paused', 'webhook_endpoints', ['paused_until']);
  },
};
