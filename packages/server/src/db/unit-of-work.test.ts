import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseError } from 'sequelize';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { measureInto } from '../kernel/meter.ts';
import { type Database, openDatabase } from './database.ts';
import { unitOfWork } from './unit-of-work.ts';

let folder: string;
let db: Database;
let outcomes: unknown[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-unit-of-work-'));
  db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  outcomes = [];
  measureInto({
    add: (_name, labels) => void outcomes.push(labels['outcome']),
    set: () => undefined,
    observe: () => undefined,
    clear: () => undefined,
  });
});
afterEach(async () => {
  measureInto(null);
  await db.close();
  await rm(folder, { recursive: true });
});

it('counts each run by its outcome', async () => {
  await unitOfWork(db, async () => undefined);
  await expect(unitOfWork(db, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  let runs = 0;
  await unitOfWork(db, async () => {
    // The number of a deadlock on MySQL.
    if (++runs === 1) throw new DatabaseError(Object.assign(new Error('deadlock'), { errno: 1213, sql: '' }));
  });
  await expect(unitOfWork(db, (tx) => tx.commit())).rejects.toThrow();
  expect(outcomes).toEqual(['committed', 'refused', 'repeated', 'committed', 'failed']);
});
