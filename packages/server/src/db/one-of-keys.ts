import { Op, type WhereOptions } from 'sequelize';
import type { AnyRow } from './table-rows.ts';

/**
 * Returns the condition that selects the rows with these keys, which are one or more, and locks no other row. Keys that
 * differ in their last column only become one list. MariaDB takes 8 ms for a list of 500 values, and 250 ms for 500
 * conditions joined by OR.
 * @param columns the columns of the key
 */
export function oneOfKeys(keys: readonly AnyRow[], columns: readonly string[]): WhereOptions {
  const last = columns.at(-1) ?? '';
  const shared = columns.slice(0, -1);
  const lists = Map.groupBy(keys, (key) => JSON.stringify(shared.map((column) => key[column])));
  return { [Op.or]: [...lists.values()].map((list) => ({ ...list[0], [last]: list.map((key) => key[last]) })) };
}
