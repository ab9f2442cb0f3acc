import type { Migration } from './columns.ts';

/** Indexes of the list of an app's grants, in the order of the list (decision 041). */
export const installations: Migration = {
  name: '0048-installations',
  async up({ createIndex }) {
    await createIndex('oauth_grants_app_tenant', 'oauth_grants', ['app_id', 'tenant_id', 'id']);
    await createIndex('oauth_grants_app_status', 'oauth_grants', ['app_id', 'status', 'id']);
    await createIndex('oauth_grants_app_list', 'oauth_grants', ['app_id', 'id']);
  },
};
