import type { Migration } from './columns.ts';

/** Mails counted by recipient, tenant and network; and namespaces for the domains of clients. */
export const mailCountsAndDomainSpaces: Migration = {
  name: '0020-mail-counts-and-domain-spaces',
  async up({ types: t, addColumn, createIndex, createTable, dropIndex, run }) {
    await createTable('mail_counts', [
      `count_key ${t.hash} NOT NULL`,
      `mails_counted ${t.integer} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (count_key)',
    ]);
    await createIndex('mail_counts_expiry', 'mail_counts', ['expires_at']);

    // '' is the namespace of all production tenants; the namespace of a sandbox is the id of its tenant.
    await addColumn('clients', `domain_space ${t.ascii(30)} NOT NULL DEFAULT ''`);
    await run(
      `UPDATE clients SET domain_space = tenant_id
       WHERE custom_domain IS NOT NULL AND domain_space = ''
         AND tenant_id IN (SELECT id FROM tenants WHERE sandbox = 1)`,
    );
    await createIndex('clients_domain_space', 'clients', ['custom_domain', 'domain_space'], { unique: true });
    await dropIndex('clients_domain', 'clients');
  },
};
