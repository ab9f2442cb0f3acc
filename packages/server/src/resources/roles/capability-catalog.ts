import type { Context } from '../../context.ts';
import type { ModuleRow } from '../../db/models/module.model.ts';
import { select } from '../../db/sql.ts';

/** Every capability of every module, sorted. The catalog is the platform's, and small. */
export async function capabilityCatalog({ db, transaction }: Context): Promise<readonly string[]> {
  const rows = await select<Pick<ModuleRow, 'capabilities'>>(db, 'SELECT capabilities FROM modules', {}, transaction);
  return [...new Set(rows.flatMap(({ capabilities }) => JSON.parse(capabilities) as string[]))].sort();
}
