import type { ColumnTypes, Migration } from './columns.ts';

/** Groups, users, locations, roles, settings, catalog, billing and developers. */
export const families: Migration = {
  name: '0006-families',
  async up({ types: t, createTable, createIndex }) {
    await createTable('developers', [
      `id ${t.id} NOT NULL`,
      `email ${t.text(254)} NOT NULL`,
      `email_hash ${t.hash} NOT NULL`,
      `tenant_id ${t.id} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (id)',
    ]);
    await createIndex('developers_email', 'developers', ['email_hash'], { unique: true });
    await createIndex('developers_tenant', 'developers', ['tenant_id'], { unique: true });

    await createTable('settings', [
      `tenant_id ${t.id} NOT NULL`,
      `default_timezone ${t.ascii(64)} NOT NULL`,
      `default_locale ${t.ascii(64)} NOT NULL`,
      `support_email ${t.text(254)} NULL`,
      `launch_token_ttl_seconds ${t.integer} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (tenant_id)',
    ]);

    await createTable('roles', [
      ...tenantRow(t),
      `name ${t.ascii(63)} NOT NULL`,
      `title ${t.text(200)} NOT NULL`,
      `description ${t.text(500)} NULL`,
      `built_in ${t.integer} NOT NULL`,
      `capabilities ${t.longText} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('roles_name', 'roles', ['tenant_id', 'name'], { unique: true });

    await createTable('users', [
      ...tenantRow(t),
      `email ${t.text(254)} NOT NULL`,
      `email_hash ${t.hash} NOT NULL`,
      `name ${t.text(200)} NULL`,
      `role ${t.ascii(63)} NOT NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `client_id ${t.id} NULL`,
      `location_id ${t.id} NULL`,
      `activated_at ${t.instant} NULL`,
      `deactivated_at ${t.instant} NULL`,
      `invitation_hash ${t.hash} NULL`,
      `invitation_expires_at ${t.instant} NULL`,
      ...instants(t),
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('users_email', 'users', ['tenant_id', 'email_hash'], { unique: true });
    await createIndex('users_invitation', 'users', ['invitation_hash'], { unique: true });
    await createIndex('users_status', 'users', ['tenant_id', 'status', 'id']);
    await createIndex('users_role', 'users', ['tenant_id', 'role', 'id']);
    await createIndex('users_client', 'users', ['tenant_id', 'client_id', 'id']);
    await createIndex('users_location', 'users', ['tenant_id', 'location_id', 'id']);

    await createTable('client_groups', [
      ...tenantRow(t),
      `name ${t.text(200)} NOT NULL`,
      `slug ${t.ascii(63)} NOT NULL`,
      `membership_policy ${t.ascii(16)} NOT NULL`,
      `member_count ${t.integer} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('client_groups_slug', 'client_groups', ['tenant_id', 'slug'], { unique: true });

    await createTable('group_members', [
      `tenant_id ${t.id} NOT NULL`,
      `group_id ${t.id} NOT NULL`,
      `client_id ${t.id} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (tenant_id, group_id, client_id)',
    ]);
    await createIndex('group_members_client', 'group_members', ['tenant_id', 'client_id', 'group_id']);

    await createTable('group_owners', [
      `tenant_id ${t.id} NOT NULL`,
      `group_id ${t.id} NOT NULL`,
      `user_id ${t.id} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (tenant_id, group_id, user_id)',
    ]);
    await createIndex('group_owners_user', 'group_owners', ['tenant_id', 'user_id', 'group_id']);

    await createTable('locations', [
      ...tenantRow(t),
      `owner_id ${t.id} NOT NULL`,
      `default_of ${t.id} NULL`,
      `name ${t.text(200)} NOT NULL`,
      `address ${t.text(500)} NULL`,
      `timezone ${t.ascii(64)} NOT NULL`,
      `country ${t.ascii(2)} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('locations_owner', 'locations', ['tenant_id', 'owner_id', 'id']);
    await createIndex('locations_default', 'locations', ['tenant_id', 'default_of'], { unique: true });

    await createTable('modules', [
      `id ${t.id} NOT NULL`,
      `slug ${t.ascii(63)} NOT NULL`,
      `name ${t.text(200)} NOT NULL`,
      `description ${t.text(500)} NOT NULL`,
      `capabilities ${t.longText} NOT NULL`,
      `launch_url ${t.text(2048)} NULL`,
      `audience ${t.text(200)} NULL`,
      ...instants(t),
      'PRIMARY KEY (id)',
    ]);
    await createIndex('modules_slug', 'modules', ['slug'], { unique: true });

    await createTable('plans', [
      `id ${t.id} NOT NULL`,
      `slug ${t.ascii(63)} NOT NULL`,
      `name ${t.text(200)} NOT NULL`,
      `currency ${t.ascii(3)} NOT NULL`,
      `amount ${t.instant} NOT NULL`,
      `billing_interval ${t.ascii(16)} NOT NULL`,
      `capabilities ${t.longText} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (id)',
    ]);
    await createIndex('plans_slug', 'plans', ['slug'], { unique: true });

    await createTable('invoices', [
      ...tenantRow(t),
      `number ${t.ascii(63)} NOT NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `currency ${t.ascii(3)} NOT NULL`,
      `amount_due ${t.instant} NOT NULL`,
      `amount_paid ${t.instant} NOT NULL`,
      `period_start ${t.instant} NOT NULL`,
      `period_end ${t.instant} NOT NULL`,
      `due_at ${t.instant} NULL`,
      `invoice_lines ${t.longText} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('invoices_number', 'invoices', ['tenant_id', 'number'], { unique: true });
    await createIndex('invoices_status', 'invoices', ['tenant_id', 'status', 'id']);

    await createTable('payments', [
      ...tenantRow(t),
      `invoice_id ${t.id} NOT NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `currency ${t.ascii(3)} NOT NULL`,
      `amount ${t.instant} NOT NULL`,
      `method ${t.ascii(63)} NOT NULL`,
      ...instants(t),
      'PRIMARY KEY (tenant_id, id)',
    ]);
    await createIndex('payments_invoice', 'payments', ['tenant_id', 'invoice_id', 'id']);
  },
};

const tenantRow = (t: ColumnTypes): string[] => [`tenant_id ${t.id} NOT NULL`, `id ${t.id} NOT NULL`];
const instants = (t: ColumnTypes): string[] => [`created_at ${t.instant} NOT NULL`, `updated_at ${t.instant} NOT NULL`];
