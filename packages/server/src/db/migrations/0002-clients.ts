import type { ColumnTypes, Migration } from './columns.ts';

export const clients: Migration = {
  name: '0002-clients',
  async up({ types: t, createTable, createIndex }) {
    await createTable('clients', [...clientColumns(t), 'PRIMARY KEY (tenant_id, id)']);
    await createIndex('clients_slug', 'clients', ['tenant_id', 'slug'], { unique: true });
    await createIndex('clients_domain', 'clients', ['custom_domain'], { unique: true });
    await createIndex('clients_status', 'clients', ['tenant_id', 'status', 'id']);
    await createTable('deleted_clients', [
      ...clientColumns(t),
      `deleted_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (tenant_id, id)',
    ]);
  },
};

function clientColumns(t: ColumnTypes): string[] {
  return [
    `tenant_id ${t.id} NOT NULL`,
    `id ${t.id} NOT NULL`,
    `name ${t.text(200)} NOT NULL`,
    `status ${t.ascii(16)} NOT NULL`,
    `slug ${t.ascii(63)} NOT NULL`,
    `custom_domain ${t.ascii(253)} NULL`,
    `created_at ${t.instant} NOT NULL`,
    `updated_at ${t.instant} NOT NULL`,
  ];
}
