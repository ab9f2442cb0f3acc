import { UniqueConstraintError } from 'sequelize';
import { emailHash } from '../../kernel/mail-address.ts';
import type { Migration, MigrationDatabase } from './columns.ts';

/** Rows in one batch. */
const BATCH = 500;

interface AddressRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly email: string;
  readonly email_hash: Buffer;
}

/**
 * Hashes of e-mail addresses in their canonical form, and the quotas that the operator gives a tenant. If the addresses
 * of two rows are now the same, one row keeps its previous hash: both stay, and signing in finds both (decision 029).
 */
export const canonicalAddresses: Migration = {
  name: '0021-canonical-addresses',
  async up(database) {
    const { types: t, addColumn } = database;
    await addColumn('tenants', `quotas ${t.longText} NULL`);
    await rehash(database, 'users');
    await rehash(database, 'developers');
  },
};

/** May be interrupted and run again: a row that has its canonical hash is skipped. */
async function rehash({ read, run }: MigrationDatabase, table: 'users' | 'developers'): Promise<void> {
  let after = { tenant: '', id: '' };
  for (;;) {
    const rows = await read<AddressRow>(
      `SELECT tenant_id, id, email, email_hash FROM ${table}
       WHERE tenant_id > :tenant OR (tenant_id = :tenant AND id > :id) ORDER BY tenant_id, id LIMIT ${BATCH}`,
      after,
    );
    for (const { tenant_id: tenant, id, email, email_hash } of rows) {
      after = { tenant, id };
      const hash = emailHash(email);
      if (hash.equals(Buffer.from(email_hash))) continue;
      const sql = `UPDATE ${table} SET email_hash = :hash WHERE tenant_id = :tenant AND id = :id`;
      await run(sql, { hash, tenant, id }).catch((error: unknown) => {
        if (!(error instanceof UniqueConstraintError)) throw error;
      });
    }
    if (rows.length < BATCH) return;
  }
}
