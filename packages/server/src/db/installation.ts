import type { Database } from './database.ts';
import { unitOfWork } from './unit-of-work.ts';

/** Records permanently that a production server has used this database. */
export async function markProduction(db: Database, now: number): Promise<void> {
  const rows = [{ fact: 'production', recorded_at: now }];
  await unitOfWork(db, (transaction) =>
    db.models.installation.bulkCreate(rows, { ignoreDuplicates: true, transaction }),
  );
}

/** Returns true when a production server has used this database. */
export async function isOfProduction(db: Database): Promise<boolean> {
  return (await db.models.installation.findByPk('production', { raw: true })) !== null;
}
