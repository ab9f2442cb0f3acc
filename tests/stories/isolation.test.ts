import { ALL_SCOPES, OPERATIONS, type OperationInfo, type OperationName, type Scope } from '@plat/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Api, apiOf, expectRefusal } from '../support/api.ts';
import {
  BODIES,
  callOperation,
  createEveryObject,
  keyOf,
  operations,
  type PopulatedTenant,
  parametersOf,
} from '../support/every-operation.ts';
import { useServer } from '../support/story.ts';

/*
 * Calls every operation of the contract on another tenant, without its scope, and on a suspended tenant. A new
 * operation of the contract is included automatically. If it takes a body, the list of bodies needs a valid one.
 */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

let mine: PopulatedTenant;
let theirs: PopulatedTenant;

beforeAll(async () => {
  // The other tenant first: all of its objects are older than mine.
  theirs = await createEveryObject(story.server);
  mine = await createEveryObject(story.server);
});

/** Field of a query that holds ids → key of the ids it takes. */
const FILTERS: Partial<Record<OperationName, readonly (readonly [field: string, id: string])[]>> = {
  'users.list': [['client_id', 'client_id']],
  'audit.events.list': [
    ['actor_id', 'user_id'],
    ['target_id', 'client_id'],
  ],
  'billing.payments.list': [['invoice_id', 'invoice_id']],
  'webhooks.deliveries.list': [
    ['event_id', 'event_id'],
    ['endpoint_id', 'endpoint_id'],
  ],
  'webhooks.replays.list': [['endpoint_id', 'endpoint_id']],
};

/** Calls an operation as a tenant, with my ids except for the named keys, which are of the other tenant. */
function call(api: Api, name: OperationName, alien: ReadonlySet<string> = new Set(), query = ''): Promise<Answer> {
  return callOperation(api, name, (key) => (alien.has(key) ? theirs : mine).ids[key], query);
}

function expectNothingOfTheirs({ body }: Answer): void {
  const text = JSON.stringify({ ...body, url: '' });
  for (const id of [theirs.tenantId, ...Object.values(theirs.ids)]) expect(text).not.toContain(id);
}

test('every operation with a body has an example here', () => {
  const missing = operations.filter(([name, { method }]) => /POST|PATCH/.test(method) && !BODIES[name]);
  expect(missing.map(([name]) => name)).toEqual([]);
});

describe('with an id of another tenant', () => {
  const inPath = operations.flatMap(([name, operation]) =>
    parametersOf(operation).map((parameter) => [name, parameter] as const),
  );
  test.each(inPath)('%s does not find %s in the path', async (name, parameter) => {
    const answer = await call(mine.api, name, new Set([keyOf(name, parameter)]));
    expect(answer.status, JSON.stringify(answer.body)).toBe(404);
    expect(answer.body.code).toMatch(/_NOT_FOUND$/);
    expectNothingOfTheirs(answer);
  });

  test('trace.get finds none of their objects, of any kind', async () => {
    const slug = (await theirs.api(`/v1/clients/${theirs.ids['other_client_id']}`)).body.slug;
    const { email } = (await theirs.api(`/v1/users/${theirs.ids['user_id']}`)).body;
    for (const id of [...Object.values(theirs.ids), theirs.tenantId, theirs.ownerId, slug, email]) {
      expect((await theirs.api(`/v1/trace/${id}`)).status, id).toBe(200);
      if (id === slug) continue;
      const answer = await mine.api(`/v1/trace/${id}`);
      expectRefusal(answer, 'TRACE_NOT_FOUND');
      expectNothingOfTheirs(answer);
    }
  });

  const inBody = Object.entries(BODIES).flatMap(([name, body]) =>
    Object.values(body)
      .filter((value) => /_id$/.test(String(value)))
      .map((key) => [name as OperationName, String(key)] as const),
  );
  test.each(inBody)('%s does not find %s in the body', async (name, key) => {
    const { path }: OperationInfo = OPERATIONS[name];
    // If the same id is in the path too, the test above covers it.
    if (path.includes(`{${key}}`)) return;
    const answer = await call(mine.api, name, new Set([key]));
    expect([answer.status, answer.body.code]).toEqual([404, expect.stringMatching(/_NOT_FOUND$/)]);
    expectNothingOfTheirs(answer);
  });

  const filters = Object.entries(FILTERS).flatMap(([name, fields]) =>
    fields.map(([field, key]) => [name as OperationName, field, key] as const),
  );
  test.each(filters)('%s is empty by the filter %s', async (name, field, key) => {
    const answer = await call(mine.api, name, new Set(), `?${field}=${theirs.ids[key]}`);
    expect([answer.status, answer.body.data]).toEqual([200, []]);
  });

  const lists = operations.filter(([, { list }]) => list).map(([name]) => name);
  test.each(lists)('%s lists its own objects with a cursor of another tenant', async (name) => {
    // The log of requests grows all the time, also that of the other tenant.
    const [some, known] = name === 'requests.list' ? ['&operation=roles.create', theirs.ids['request_id']] : [''];
    const { body: whole } = await call(mine.api, name, new Set(), `?limit=100${some}`);
    const own: readonly Record<string, string>[] = whole.data;
    const { body: alien } = await call(theirs.api, name, new Set(Object.keys(theirs.ids)), '?limit=1');
    const cursorOf = (item: Record<string, string>) => item['id'] ?? item['client_id'] ?? item['user_id'];
    const cursor = known ?? cursorOf(alien.data[0]);
    // All objects of the other tenant are older than mine. The catalog is shared.
    const isCatalog = /^\/v1\/(modules|plans)/.test(OPERATIONS[name].path);
    const behind = await call(mine.api, name, new Set(), `?limit=100${some}&starting_after=${cursor}`);
    const before = await call(mine.api, name, new Set(), `?limit=100${some}&ending_before=${cursor}`);
    expect([behind.status, before.status]).toEqual([200, 200]);
    if (!isCatalog) {
      expect(behind.body.data).toEqual([]);
      expect(before.body.data.map(cursorOf)).toEqual(own.map(cursorOf));
    }
    expectNothingOfTheirs(before);
  });
});

describe('without its scope', () => {
  const scoped = operations.flatMap(([name, { scope }]) => (scope === null ? [] : [[name, scope] as const]));
  const byScope = Map.groupBy(scoped, ([, scope]) => scope);

  test.each([...byScope])('%s is named to callers without it', async (scope, calls) => {
    const others: Scope[] = ALL_SCOPES.filter((one) => one !== scope);
    const { apiKey } = await story.server.createTenant({ scopes: others });
    for (const [name] of calls) {
      const answer = await call(apiOf(story.server.baseUrl, apiKey), name);
      expectRefusal(answer, 'INSUFFICIENT_SCOPE');
      expect(answer.body.message).toContain(scope);
      expect(answer.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
    }
  });

  test.each([...byScope])('%s alone permits its operations', async (scope, calls) => {
    const { apiKey } = await story.server.createTenant({ scopes: [scope] });
    for (const [name] of calls) {
      expect((await call(apiOf(story.server.baseUrl, apiKey), name)).status).not.toBe(403);
    }
  });
});

test('on a suspended tenant every operation is TENANT_SUSPENDED, and all work again when it is reactivated', async () => {
  const { tenantId, apiKey } = await story.server.createTenant();
  const api = apiOf(story.server.baseUrl, apiKey);
  await story.server.setTenantStatus(tenantId, 'suspended');
  for (const [name] of operations) expectRefusal(await call(api, name), 'TENANT_SUSPENDED');
  await story.server.setTenantStatus(tenantId, 'active');
  expect((await api('/v1/clients')).status).toBe(200);
});

test('without a credential every operation is INVALID_TOKEN', async () => {
  const api = apiOf(story.server.baseUrl);
  for (const [name] of operations) expectRefusal(await call(api, name), 'INVALID_TOKEN');
});
