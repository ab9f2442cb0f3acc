import { isId } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { selectOne } from '../../db/sql.ts';

/** Kinds of objects that an app owns, and their tables. */
const TABLES = [
  ['event', 'events'],
  ['webhook_delivery', 'webhook_deliveries'],
  ['webhook_endpoint', 'webhook_endpoints'],
  ['webhook_replay', 'webhook_replays'],
] as const;

/** Returns the app of the developer that owns a webhook object; undefined if none does. */
export async function appOfObject({ db }: ReadContext, developerId: string, id: string): Promise<string | undefined> {
  const [, table] = TABLES.find(([kind]) => isId(kind, id)) ?? [];
  if (table === undefined) return undefined;
  const app = await selectOne<{ readonly id: string }>(
    db,
    `SELECT a.id AS id FROM oauth_apps a JOIN ${table} t ON t.tenant_id = a.id AND t.id = :id
     WHERE a.developer_id = :developerId`,
    { id, developerId },
  );
  return app?.id;
}
