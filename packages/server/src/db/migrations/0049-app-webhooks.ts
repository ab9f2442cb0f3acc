import type { Migration } from './columns.ts';

/**
 * Apps own endpoints, events, deliveries and replays, whose `tenant_id` is then the id of the app. Locks of an app are
 * writes, as those of tenants are.
 */
export const appWebhooks: Migration = {
  name: '0049-app-webhooks',
  async up({ types: t, addColumn }) {
    await addColumn('oauth_apps', `locks ${t.integer} NOT NULL DEFAULT 0`);
  },
};
