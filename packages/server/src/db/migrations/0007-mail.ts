import type { Migration } from './columns.ts';

export const mail: Migration = {
  name: '0007-mail',
  async up({ types: t, createTable, createIndex }) {
    await createTable('mails', [
      `id ${t.id} NOT NULL`,
      `tenant_id ${t.id} NULL`,
      `kind ${t.ascii(64)} NOT NULL`,
      `recipient ${t.text(254)} NOT NULL`,
      `subject ${t.text(255)} NOT NULL`,
      `body ${t.longBytes} NULL`,
      `status ${t.ascii(16)} NOT NULL`,
      `attempts ${t.integer} NOT NULL`,
      `due_at ${t.instant} NOT NULL`,
      `expires_at ${t.instant} NULL`,
      `error ${t.text(500)} NULL`,
      `sent_at ${t.instant} NULL`,
      `created_at ${t.instant} NOT NULL`,
      `updated_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (id)',
    ]);
    await createIndex('mails_due', 'mails', ['status', 'due_at']);
  },
};
