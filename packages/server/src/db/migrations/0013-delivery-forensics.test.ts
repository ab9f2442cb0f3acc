import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { execute, select } from '../sql.ts';
import { deliveryForensics } from './0013-delivery-forensics.ts';
import { migrationDatabase } from './columns.ts';

const FAILED = [
  ['del_a', 'failed', "'endpoint_deleted: the endpoint was deleted'", 'endpoint_deleted'],
  ['del_b', 'retrying', "'timeout: no complete answer within 10 s'", 'timeout'],
  ['del_c', 'retrying', 'NULL', 'http_status'],
  ['del_d', 'succeeded', 'NULL', null],
  ['del_e', 'pending', 'NULL', null],
] as const;

it('attempts that failed before the migration get the class from the beginning of their text, also when it runs again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-migration-'));
  const db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  try {
    await migrate(db);
    for (const [id, status, error] of FAILED) {
      await execute(
        db,
        `INSERT INTO webhook_deliveries (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, scheduled_at, error, created_at, updated_at)
         VALUES ('tnt', '${id}', 'evt', 'client.created', 'whe', 1, '${status}', 0, ${error}, 0, 0)`,
      );
    }
    for (let times = 0; times < 2; times++) {
      await deliveryForensics.up(migrationDatabase(db.sequelize.getQueryInterface(), 'sqlite'));
      expect(await select(db, 'SELECT id, error_class FROM webhook_deliveries ORDER BY id')).toEqual(
        FAILED.map(([id, , , error_class]) => ({ id, error_class })),
      );
    }
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
});
