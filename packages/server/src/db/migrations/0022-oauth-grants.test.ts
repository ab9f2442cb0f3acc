import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { execute, select } from '../sql.ts';
import { oauth } from './0009-oauth.ts';
import { oauthGrants } from './0022-oauth-grants.ts';
import { oauthCodes } from './0023-oauth-codes.ts';
import { migrationDatabase } from './columns.ts';

it('grants receive their codes, also when the migration runs again, and count as used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-migration-'));
  const db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  const migration = migrationDatabase(db.sequelize.getQueryInterface(), 'sqlite');
  const columns = 'id, begun, hex(code_hash) AS code, code_challenge, redirect_uri, refresh_hash';
  try {
    await migrate(db);
    // Restores the table of codes, as before 0023.
    await oauth.up(migration);
    for (const id of ['gra_a', 'gra_b']) {
      await execute(
        db,
        `INSERT INTO oauth_grants (tenant_id, id, app_id, granted_by, scopes, status, generation, expires_at, created_at, updated_at)
         VALUES ('tnt', '${id}', 'app', 'usr', '[]', 'active', 1, 1, 0, 0)`,
      );
    }
    await execute(db, "INSERT INTO oauth_codes VALUES (:hash, 'gra_a', 'https://app.example/cb', 'challenge', 1)", {
      hash: Buffer.alloc(32, 7),
    });
    for (let times = 0; times < 2; times++) {
      await oauthGrants.up(migration);
      expect(await select(db, `SELECT ${columns} FROM oauth_grants ORDER BY id`)).toEqual([
        {
          id: 'gra_a',
          begun: 1,
          code: '07'.repeat(32),
          code_challenge: 'challenge',
          redirect_uri: 'https://app.example/cb',
          refresh_hash: null,
        },
        { id: 'gra_b', begun: 1, code: '', code_challenge: null, redirect_uri: null, refresh_hash: null },
      ]);
    }
    for (let times = 0; times < 2; times++) await oauthCodes.up(migration);
    await expect(select(db, 'SELECT * FROM oauth_codes')).rejects.toThrow(/no such table/);
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
});
