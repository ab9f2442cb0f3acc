import { isId, type LaunchTokenGroup } from '@plat/contract';
import { readCapabilities } from '../accounts/capabilities.ts';
import type { Database } from '../db/database.ts';
import { select, selectOne } from '../db/sql.ts';
import type { ModuleRow } from '../db/tables/modules.ts';
import { entitlementsOf, planCapabilities } from './entitlements.ts';
import { groupsOfLaunch } from './groups-of-launch.ts';
import { readLaunchUrl } from './launch-url.ts';

/** What a user can launch, and where. */
export interface LaunchChoices {
  /** The active clients that the user may go into, by name; of many the newest. */
  readonly clients: readonly ClientChoice[];
  readonly hasMoreClients: boolean;
  /** The one that all else is about; null where there is none. */
  readonly client: ClientChoice | null;
  readonly groups: readonly LaunchTokenGroup[];
  /** The modules that the tenant's plan has something of, by name. */
  readonly modules: readonly ModuleChoice[];
}

export interface ClientChoice {
  readonly id: string;
  readonly name: string;
  /** Tells clients of one name apart. */
  readonly slug: string;
}

export interface ModuleChoice {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** What the user has of it in the client. */
  readonly entitlements: readonly string[];
  readonly isLaunchable: boolean;
}

/** Who asks. */
interface Visitor {
  readonly tenantId: string;
  readonly userId: string;
  /** Name of a role. */
  readonly role: string;
  /** Id of the client to look at; another one, or none, is the first of those that the user may go into. */
  readonly clientId: string | undefined;
}

export async function readLaunchChoices(
  db: Database,
  { tenantId, userId, role, clientId }: Visitor,
): Promise<LaunchChoices> {
  const { clients, hasMore } = await clientsOf(db, tenantId, userId);
  const client = (await findClient(db, tenantId, userId, clientId)) ?? clients[0] ?? null;
  const [plan, modules] = await Promise.all([planCapabilities(db, null, tenantId), readModules(db)]);
  const [groups, entitlements] = client
    ? await Promise.all([
        groupsOfLaunch(db, null, { tenantId, clientId: client.id, userId }),
        entitlementsOf(db, null, { tenantId, clientId: client.id, role }),
      ])
    : [[], []];
  return {
    clients,
    hasMoreClients: hasMore,
    client,
    groups,
    modules: modules
      .map((module) => ({ ...module, capabilities: readCapabilities(module.capabilities) }))
      .filter(({ capabilities }) => capabilities.some((id) => plan.includes(id)))
      .map(({ slug, name, description, capabilities, launch_url, audience }) => ({
        slug,
        name,
        description,
        entitlements: entitlements.filter((id) => capabilities.includes(id)),
        isLaunchable: readLaunchUrl(launch_url) !== null && Boolean(audience),
      })),
  };
}

/** How many are offered to choose from. */
const MOST_CLIENTS = 100;

/** A user who belongs to a client goes into that one only. */
const OPEN_CLIENTS = `SELECT c.id, c.name, c.slug FROM clients c JOIN users u ON u.tenant_id = c.tenant_id AND u.id = :userId
  WHERE c.tenant_id = :tenantId AND c.status = 'active' AND (u.client_id IS NULL OR u.client_id = c.id)`;

async function clientsOf(db: Database, tenantId: string, userId: string) {
  const sql = `${OPEN_CLIENTS} ORDER BY c.id DESC LIMIT ${MOST_CLIENTS + 1}`;
  const newest = await select<ClientChoice>(db, sql, { tenantId, userId });
  const clients = newest.slice(0, MOST_CLIENTS).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return { clients, hasMore: newest.length > MOST_CLIENTS };
}

async function findClient(db: Database, tenantId: string, userId: string, clientId: string | undefined) {
  if (!isId('client', clientId)) return undefined;
  return selectOne<ClientChoice>(db, `${OPEN_CLIENTS} AND c.id = :clientId`, { tenantId, userId, clientId });
}

function readModules(db: Database) {
  return select<Omit<ModuleRow, 'id' | 'created_at' | 'updated_at'>>(
    db,
    'SELECT slug, name, description, capabilities, launch_url, audience FROM modules ORDER BY name, slug',
  );
}
