import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emailHash, formerEmailHash } from '../../kernel/mail-address.ts';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { execute, select } from '../sql.ts';
import { canonicalAddresses } from './0021-canonical-addresses.ts';
import { migrationDatabase } from './columns.ts';

const formerly = (email: string): Buffer => createHash('sha256').update(email.normalize('NFC').toLowerCase()).digest();

it('addresses from before the migration get their canonical hash, and both rows of a collision stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-migration-'));
  const db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  const users = [
    ['tnt_a', 'usr_1', 'Ada@Example.com'],
    ['tnt_a', 'usr_2', 'ada@\u212Aelvin.example'],
    ['tnt_a', 'usr_3', 'ada@bücher.example'],
    ['tnt_a', 'usr_4', 'ADA@xn--bcher-kva.example'],
    ['tnt_b', 'usr_5', 'ada@BÜCHER.example'],
    ['tnt_b', 'usr_6', 'bob\u212A@example.com'],
    ...Array.from({ length: 1100 }, (_, i) => ['tnt_c', `usr_${10_000 + i}`, `user-${i}@ｅｘample.com`] as const),
  ] as const;
  try {
    await migrate(db);
    for (const [tenantId, id, email] of users) {
      await execute(
        db,
        `INSERT INTO users (tenant_id, id, email, email_hash, role, status, created_at, updated_at)
         VALUES (:tenantId, :id, :email, :hash, 'viewer', 'active', 0, 0)`,
        { tenantId, id, email, hash: formerly(email) },
      );
    }
    const developers = [
      ['dev_1', 'Ada@\u212Aelvin.example'],
      ['dev_2', 'eva@bücher.example'],
      ['dev_3', 'eva@xn--bcher-kva.example'],
    ] as const;
    for (const [id, email] of developers) {
      await execute(
        db,
        `INSERT INTO developers (tenant_id, id, email, email_hash, created_at, updated_at)
         VALUES (:tenantId, :id, :email, :hash, 0, 0)`,
        { tenantId: `tnt_of_${id}`, id, email, hash: formerly(email) },
      );
    }
    for (let times = 0; times < 2; times++) {
      await canonicalAddresses.up(migrationDatabase(db.sequelize.getQueryInterface(), 'sqlite'));
      const rows = await select<{ id: string; email: string; email_hash: Buffer }>(
        db,
        'SELECT * FROM users ORDER BY id',
      );
      expect(rows).toHaveLength(users.length);
      const kept = rows.filter(({ email, email_hash }) => !emailHash(email).equals(email_hash));
      expect(kept.map(({ id }) => id)).toEqual(['usr_3']);
      const accounts = await select<{ email: string; email_hash: Buffer }>(db, 'SELECT * FROM developers ORDER BY id');
      const isCanonical = accounts.map(({ email, email_hash }) => emailHash(email).equals(email_hash));
      expect(isCanonical).toEqual([true, false, true]);
      for (const { email, email_hash } of kept) expect(formerEmailHash(email).equals(email_hash)).toBe(true);
    }
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
});
