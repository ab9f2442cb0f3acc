import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { logStatements } from '../sequelize-internals.ts';

test('findOne reads one row, even if its only key column is the tenant', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-tables-'));
  const db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  try {
    await migrate(db);
    const statements: string[] = [];
    const stop = logStatements(db.sequelize, (statement) => statements.push(statement));
    const where = { tenant_id: newId('tenant'), role: 'owner' };
    await db.models.user.findOne({ where, order: ['id'], raw: true });
    await db.models.user.findAll({ where, raw: true });
    stop();
    expect(statements.map((statement) => statement.includes('LIMIT 1'))).toEqual([true, false]);
  } finally {
    await db.close();
    await rm(folder, { recursive: true });
  }
});
