import type { Migration } from './columns.ts';

/** Index of the latest tokens that an app got for any tenant. */
export const lastUseOfApps: Migration = {
  name: '0042-last-use-of-apps',
  async up({ createIndex }) {
    await createIndex('oauth_grants_app_refreshed', 'oauth_grants', ['app_id', 'refreshed_at']);
  },
};
