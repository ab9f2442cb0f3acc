import type { Migration } from './columns.ts';

/** Indexes for pairs of filters that match many rows each, in the order of their lists (decision 041). */
export const listIndexes: Migration = {
  name: '0028-list-indexes',
  async up({ createIndex }) {
    for (const [table, index, filters] of [
      ['users', 'users_client_role', ['client_id', 'role']],
      ['users', 'users_client_status', ['client_id', 'status']],
      ['users', 'users_role_status', ['role', 'status']],
      ['audit_events', 'audit_events_actor_action', ['actor_id', 'action']],
      ['webhook_deliveries', 'webhook_deliveries_endpoint_status', ['endpoint_id', 'status']],
      ['webhook_replays', 'webhook_replays_endpoint_status', ['endpoint_id', 'status']],
    ] as const) {
      await createIndex(index, table, ['tenant_id', ...filters, 'id']);
    }
    await createIndex('tenants_status', 'tenants', ['status', 'id']);
  },
};
