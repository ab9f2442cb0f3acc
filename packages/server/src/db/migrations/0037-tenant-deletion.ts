import type { Migration } from './columns.ts';

/** The time after which a tenant is deleted with all its rows. */
export const tenantDeletion: Migration = {
  name: '0037-tenant-deletion',
  async up({ types: t, addColumn, createIndex }) {
    await addColumn('tenants', `delete_after ${t.instant} NULL`);
    await createIndex('tenants_deletion', 'tenants', ['delete_after']);
    // The mails of one tenant were found by reading the whole table.
    await createIndex('mails_tenant', 'mails', ['tenant_id', 'id']);
  },
};
