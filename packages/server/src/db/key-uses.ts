import { executeText, type Queryable } from './sql.ts';

/** The last use of an API key, in ms. */
export type KeyUse = readonly [keyId: string, usedAt: number];

/** Maximum number of uses stored at once. */
export const KEYS_AT_ONCE = 100;

/** Start of the statement. It runs after the requests that it belongs to, so tests leave it out. */
export const KEY_USE_UPDATE = 'UPDATE /* last use */ ';

/** A key moves from the first table to the second when it is replaced, and keeps its id. */
const TABLES = ['api_keys', 'previous_api_keys', 'support_keys'] as const;

/** Stores last uses of keys. A later use that another process has stored stays. */
export async function storeKeyUses(db: Queryable, uses: readonly KeyUse[]): Promise<void> {
  // Statements of several processes lock the rows in the same order.
  const inOrder = uses.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const values = Object.fromEntries(
    inOrder.flatMap(([keyId, usedAt], i) => [[`id_${i}`, keyId] as const, [`at_${i}`, usedAt] as const]),
  );
  const cases = inOrder.map((_, i) => `WHEN id = :id_${i} AND COALESCE(last_used_at, 0) < :at_${i} THEN :at_${i}`);
  const ids = inOrder.map((_, i) => `:id_${i}`);
  for (const table of TABLES) {
    const changed = await executeText(
      db,
      `${KEY_USE_UPDATE}${table} SET last_used_at = CASE ${cases.join(' ')} ELSE last_used_at END WHERE id IN (${ids.join(', ')})`,
      values,
    );
    if (changed === uses.length) return;
  }
}
