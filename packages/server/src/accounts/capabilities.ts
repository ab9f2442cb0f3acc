import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import type { RoleRow } from '../db/tables/roles.ts';

interface Reader {
  readonly db: Database;
  readonly transaction: Transaction | null;
}

/** Returns the capabilities of all modules, sorted. The platform's catalog is small. */
export async function capabilityCatalog({ db, transaction }: Reader): Promise<readonly string[]> {
  const rows = await db.models.module.findAll({ attributes: ['capabilities'], transaction, raw: true });
  return [...new Set(rows.flatMap(({ capabilities }) => readCapabilities(capabilities)))].sort();
}

/**
 * Returns the capabilities that users in a role can see. A viewer sees those that only read; the other built-in roles
 * see all.
 * @param catalog all capabilities; a built-in role sees the current catalog
 */
export function visibleCapabilities(
  { name, built_in, capabilities }: Pick<RoleRow, 'name' | 'built_in' | 'capabilities'>,
  catalog: readonly string[],
): readonly string[] {
  if (built_in !== 1) return readCapabilities(capabilities);
  return name === 'viewer' ? catalog.filter((id) => id.endsWith(':read')) : catalog;
}

/** Reads a column of capabilities. */
export function readCapabilities(column: string): readonly string[] {
  return JSON.parse(column) as string[];
}

/** Returns the value of a column of capabilities: sorted, without duplicates. */
export function storedCapabilities(capabilities: readonly string[]): string {
  return JSON.stringify([...new Set(capabilities)].sort());
}
