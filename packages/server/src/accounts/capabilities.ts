import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import type { RoleRow } from '../db/tables/roles.ts';

interface Reader {
  readonly db: Database;
  readonly transaction: Transaction | null;
}

/** Every capability of every module, sorted. The catalog is the platform's, and small. */
export async function capabilityCatalog({ db, transaction }: Reader): Promise<readonly string[]> {
  const rows = await db.models.module.findAll({ attributes: ['capabilities'], transaction, raw: true });
  return [...new Set(rows.flatMap(({ capabilities }) => readCapabilities(capabilities)))].sort();
}

/**
 * What users in a role can see. A viewer sees what only reads; the other built-in roles see all.
 * @param catalog every capability there is; a built-in role sees it as it stands
 */
export function visibleCapabilities(
  { name, built_in, capabilities }: Pick<RoleRow, 'name' | 'built_in' | 'capabilities'>,
  catalog: readonly string[],
): readonly string[] {
  if (built_in !== 1) return readCapabilities(capabilities);
  return name === 'viewer' ? catalog.filter((id) => id.endsWith(':read')) : catalog;
}

/** What a column of capabilities holds. */
export function readCapabilities(column: string): readonly string[] {
  return JSON.parse(column) as string[];
}

/** What a column of capabilities is given: sorted, each once. */
export function storedCapabilities(capabilities: readonly string[]): string {
  return JSON.stringify([...new Set(capabilities)].sort());
}
