import type { Transaction } from 'sequelize';
import { findPlanId } from '../../accounts/catalog.ts';
import type { Database } from '../../db/database.ts';
import { CommandError } from '../command-error.ts';

/**
 * Returns the id of the plan of a command.
 * @throws {@link CommandError}
 */
export async function planIdOf(db: Database, transaction: Transaction, slug: string): Promise<string> {
  const id = await findPlanId(db, transaction, slug);
  if (id === null) throw new CommandError(`the catalog has no plan "${slug}"; see plat-server catalog show`);
  return id;
}
