import { isId, type LaunchTokenGroup } from '@plat/contract';
import { readCapabilities } from '../accounts/capabilities.ts';
import type { Database } from '../db/database.ts';
import type { ModuleRow } from '../db/tables/modules.ts';
import { entitlementsOf, planCapabilities } from './entitlements.ts';
import { groupsOfLaunch } from './groups-of-launch.ts';
import { readLaunchUrl } from './launch-url.ts';

/** The modules that a user can launch, and the clients. */
export interface LaunchChoices {
  /** The active clients that the user may be launched into, by name. If there are many, only the newest. */
  readonly clients: readonly ClientChoice[];
  readonly hasMoreClients: boolean;
  /** The selected client, to which the entitlements and groups belong; null if there is none. */
  readonly client: ClientChoice | null;
  readonly groups: readonly LaunchTokenGroup[];
  /** The modules of which the tenant's plan has at least one capability, by name. */
  readonly modules: readonly ModuleChoice[];
}

export interface ClientChoice {
  readonly id: string;
  readonly name: string;
  /** Distinguishes clients with the same name. */
  readonly slug: string;
}

export interface ModuleChoice {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** The user's capabilities of the module in the client. */
  readonly entitlements: readonly string[];
  readonly isLaunchable: boolean;
}

/** The signed-in user. */
interface Visitor {
  readonly tenantId: string;
  readonly userId: string;
  /** Name of a role. */
  readonly role: string;
  /** Id of the selected client. If it is absent or not allowed, the first allowed client is used. */
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

/** Maximum number of clients to choose from. */
const MAX_CLIENTS = 100;

/**
 * Returns the clients that a user may be launched into. A user who belongs to a client may be launched into that one
 * only.
 */
async function findOpenClients(
  { models: { client, user } }: Database,
  tenantId: string,
  userId: string,
  clientId?: string,
): Promise<ClientChoice[]> {
  const found = await user.findOne({ where: { tenant_id: tenantId, id: userId }, raw: true });
  const ids = [found?.client_id, clientId].filter((id) => typeof id === 'string');
  if (!found || new Set(ids).size > 1) return [];
  const [id] = ids;
  const where = { tenant_id: tenantId, status: 'active' as const, ...(id === undefined ? {} : { id }) };
  return client.findAll({
    attributes: ['id', 'name', 'slug'],
    where,
    order: [['id', 'DESC']],
    limit: MAX_CLIENTS + 1,
    raw: true,
  });
}

async function clientsOf(db: Database, tenantId: string, userId: string) {
  const newest = await findOpenClients(db, tenantId, userId);
  const clients = newest.slice(0, MAX_CLIENTS).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return { clients, hasMore: newest.length > MAX_CLIENTS };
}

async function findClient(db: Database, tenantId: string, userId: string, clientId: string | undefined) {
  if (!isId('client', clientId)) return undefined;
  const [client] = await findOpenClients(db, tenantId, userId, clientId);
  return client;
}

function readModules({ models }: Database): Promise<ModuleRow[]> {
  return models.module.findAll({ order: ['name', 'slug'], raw: true });
}
