import { OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';
import type { TestServer } from '@plat/server/testing';
import { expect } from 'vitest';
import { type Answer, type Api, apiOf } from './api.ts';

/*
 * Valid calls of every operation of the contract: a tenant with an object of every kind, and a valid body for each
 * operation that takes one.
 */

/** A tenant with an object of every kind. */
export interface PopulatedTenant {
  readonly tenantId: string;
  readonly ownerId: string;
  readonly api: Api;
  /** Path parameter, or field that holds an id → an id of the tenant. */
  readonly ids: Readonly<Record<string, string>>;
}

export async function createEveryObject(server: TestServer): Promise<PopulatedTenant> {
  const { tenantId, ownerId, apiKey } = await server.createSandbox();
  const api = apiOf(server.baseUrl, apiKey);
  return { tenantId, ownerId, api, ids: await createObjects(api, tenantId) };
}

/** Creates an object of every kind in a new sandbox, and returns the ids by the names of parameters. */
export async function createObjects(api: Api, tenantId: string): Promise<PopulatedTenant['ids']> {
  const first = async (path: string): Promise<string> => (await api(path)).body.data[0].id;
  const body = { url: 'https://example.com/hook', events: ['*'] };
  const { body: endpoint } = await api('/v1/webhooks/endpoints', { body });
  const { body: client } = await api('/v1/clients', { body: { name: 'Third' } });
  const { body: role } = await api('/v1/roles', { body: { name: 'auditor', title: 'Auditor' } });
  const { body: user } = await api('/v1/users', {
    body: { email: `u-${tenantId.slice(4)}@example.com`, role: 'viewer' },
  });
  const group = await first('/v1/groups');
  const { body: clients } = await api('/v1/clients');
  const seeded = clients.data.find(({ id }: { id: string }) => id !== client.id).id;
  await api(`/v1/groups/${group}/owners`, { body: { email: user.email } });
  const { body: replay } = await api('/v1/webhooks/replays', { body: { since: '2026-01-01T00:00:00Z' } });
  await api(`/v1/groups/${group}/locations`, { body: { name: 'Office', country: 'DE' } });
  const ids = {
    client_id: seeded,
    group_id: group,
    user_id: user.id,
    role_id: role.id,
    location_id: await first(`/v1/clients/${seeded}/locations`),
    group_location_id: await first(`/v1/groups/${group}/locations`),
    invoice_id: await first('/v1/billing/invoices'),
    audit_event_id: await first('/v1/audit/events'),
    request_id: await first('/v1/requests'),
    endpoint_id: endpoint.id,
    event_id: await first('/v1/webhooks/events'),
    delivery_id: await first('/v1/webhooks/deliveries'),
    replay_id: replay.id,
    other_client_id: client.id,
    active_user_id: (await api('/v1/users?role=member')).body.data[0].id,
    spare_location_id: (await api(`/v1/clients/${seeded}/locations`, { body: { name: 'Spare', country: 'DE' } })).body
      .id,
    spare_group_location_id: (await api(`/v1/groups/${group}/locations`, { body: { name: 'Spare', country: 'DE' } }))
      .body.id,
  };
  // A missing id would make every call respond 404.
  for (const [key, id] of Object.entries(ids)) expect(id, key).toMatch(/^[a-z]{3}_\w{26}$/);
  return ids;
}

/** A valid body for each operation that takes one. */
export const BODIES: Partial<Record<OperationName, object>> = {
  'clients.create': { name: 'New' },
  'clients.update': { name: 'New' },
  'clients.locations.create': { name: 'New', country: 'DE' },
  'clients.locations.update': { name: 'New' },
  'groups.create': { name: 'New' },
  'groups.update': { name: 'New' },
  'groups.members.add': { client_id: 'other_client_id' },
  'groups.owners.invite': { email: 'new@example.com' },
  'groups.locations.create': { name: 'New', country: 'DE' },
  'groups.locations.update': { name: 'New' },
  'users.create': { email: 'another@example.com', role: 'viewer', client_id: 'client_id', location_id: 'location_id' },
  'users.update': { client_id: 'client_id', location_id: 'location_id' },
  'users.invite': {},
  'users.deactivate': {},
  'tenant.update': { name: 'New' },
  'settings.update': { default_locale: 'de' },
  'roles.create': { name: 'another', title: 'Another' },
  'roles.update': { title: 'Another' },
  'webhooks.endpoints.create': { url: 'https://example.com/new', events: ['*'] },
  'webhooks.endpoints.update': { description: 'New' },
  'webhooks.endpoints.rotate_secret': {},
  'webhooks.events.replay': { endpoint_id: 'endpoint_id' },
  'webhooks.replays.create': { since: '2026-01-01T00:00:00Z', endpoint_id: 'endpoint_id' },
  'webhooks.replays.cancel': {},
};

/** Operation → key of the id for a parameter, where it differs from the parameter's name. */
const OWN_IDS: Partial<Record<OperationName, Readonly<Record<string, string>>>> = {
  'groups.locations.get': { location_id: 'group_location_id' },
  'groups.locations.update': { location_id: 'group_location_id' },
  'clients.locations.delete': { location_id: 'spare_location_id' },
  'groups.locations.delete': { location_id: 'spare_group_location_id' },
  'users.deactivate': { user_id: 'active_user_id' },
  'trace.get': { id: 'client_id' },
};

export const operations = (Object.keys(OPERATIONS) as OperationName[]).map((name): [OperationName, OperationInfo] => [
  name,
  OPERATIONS[name],
]);

export const parametersOf = ({ path }: OperationInfo): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** Returns the key under which a tenant stores the id for a parameter of an operation. */
export const keyOf = (name: OperationName, parameter: string): string => OWN_IDS[name]?.[parameter] ?? parameter;

/** Calls an operation with ids by their keys. */
export function callOperation(
  api: Api,
  name: OperationName,
  idOf: (key: string) => string | undefined,
  query = '',
): Promise<Answer> {
  const { method, path }: OperationInfo = OPERATIONS[name];
  const url = path.replace(/\{(\w+)\}/g, (_, parameter: string) => idOf(keyOf(name, parameter)) ?? parameter);
  const body = BODIES[name];
  const filled =
    body && Object.fromEntries(Object.entries(body).map(([field, value]) => [field, idOf(value) ?? value]));
  return api(url + query, { method, ...(filled ? { body: filled } : {}) });
}
