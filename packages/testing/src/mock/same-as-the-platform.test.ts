import type { ErrorCode, OperationName } from '@plat/contract';
import { check, OPERATION_SCHEMAS, SCHEMAS } from '@plat/contract/schemas';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { type Api, operations, shapeOf, useBothSides } from './both-sides.fixture.ts';

/*
 * Guards the mock against drift. The same calls go to the mock and to the platform, and their responses must
 * have the same status, the same code and the same shape.
 */

// Real servers are slow on busy machines.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const { platform, mock, real, mocked } = await useBothSides({ afterAll, beforeEach });

/** Creates an object of every kind. Returns the ids for the paths of all operations. */
async function createEveryObject(api: Api): Promise<Readonly<Record<string, string>>> {
  const first = async (path: string): Promise<string> => (await api(`GET ${path}`)).body.data[0].id;
  const endpoint = await api('POST /v1/webhooks/endpoints', { url: 'https://example.com/hook', events: ['*'] });
  const client = await api('POST /v1/clients', { name: 'Third' });
  const clientId: string = client.body.id;
  const locations = `/v1/clients/${clientId}/locations`;
  await api(`POST ${locations}`, { name: 'Main', country: 'DE' });
  const spare = await api(`POST ${locations}`, { name: 'Spare', country: 'DE' });
  const group = await first('/v1/groups');
  await api(`POST /v1/groups/${group}/members`, { client_id: clientId });
  const user = await api('POST /v1/users', { email: 'invited@example.com', role: 'viewer' });
  await api(`POST /v1/groups/${group}/owners`, { email: 'invited@example.com' });
  const role = await api('POST /v1/roles', { name: 'auditor', title: 'Auditor' });
  await api(`POST /v1/groups/${group}/locations`, { name: 'Office', country: 'DE' });
  const groupSpare = await api(`POST /v1/groups/${group}/locations`, { name: 'Spare', country: 'DE' });
  const replay = await api('POST /v1/webhooks/replays', { since: '2026-01-01T00:00:00Z' });
  return {
    id: clientId,
    client_id: clientId,
    location_id: spare.body.id,
    group_location_id: groupSpare.body.id,
    group_id: group,
    user_id: user.body.id,
    active_user_id: (await api('GET /v1/users?role=member')).body.data[0].id,
    role_id: role.body.id,
    invoice_id: await first('/v1/billing/invoices'),
    audit_event_id: await first('/v1/audit/events'),
    request_id: await first('/v1/requests'),
    endpoint_id: endpoint.body.id,
    event_id: await first('/v1/webhooks/events'),
    delivery_id: await first('/v1/webhooks/deliveries'),
    replay_id: replay.body.id,
  };
}

const BODIES: Partial<Record<OperationName, object>> = {
  'clients.create': { name: 'New' },
  'clients.locations.create': { name: 'New', country: 'DE' },
  'groups.create': { name: 'New' },
  'groups.owners.invite': { email: 'new@example.com' },
  'groups.locations.create': { name: 'New', country: 'DE' },
  'users.create': { email: 'another@example.com', role: 'viewer' },
  'roles.create': { name: 'another', title: 'Another' },
  'webhooks.endpoints.create': { url: 'https://example.com/new', events: ['*'] },
  'webhooks.replays.create': { since: '2026-01-01T00:00:00Z' },
};

test.each(operations)('the response of %s matches its schema', async (name, { method, path, status, list }) => {
  const api = mocked();
  const ids = await createEveryObject(api);
  const other = name.startsWith('groups.locations.') ? 'group_location_id' : 'location_id';
  const keys: Readonly<Record<string, string>> = { location_id: other };
  if (name === 'users.deactivate') Object.assign(keys, { user_id: 'active_user_id' });
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => ids[keys[key] ?? key] ?? '');
  const body = name === 'groups.members.add' ? { client_id: (await newClient(api)).id } : (BODIES[name] ?? {});
  const answer = await api(`${method} ${filled}`, method === 'GET' ? undefined : body);
  expect(answer.body.code).toBeUndefined();
  expect(answer.status).toBe(status);
  const schema = SCHEMAS[OPERATION_SCHEMAS[name].answer];
  const values = list ? answer.body.data : [answer.body];
  expect(values.length).toBeGreaterThan(0);
  for (const value of values) {
    expect(check(schema, value).errors).toEqual([]);
  }
});

test('the same calls of every family get the same responses', async () => {
  const run = async (api: Api) => {
    const seen: unknown[] = [];
    const call: Api = async (...args) => {
      const answer = await api(...args);
      const { status, headers, body } = answer;
      seen.push([shapeOf(args[0]), status, headers.get('idempotent-replayed'), shapeOf(body)]);
      return answer;
    };
    await life(call);
    return seen;
  };
  expect(await run(mocked())).toEqual(await run(await real()));
});

test('a trace has the same entries, causes and problems, from any id', async () => {
  const run = async (api: Api) => {
    const hook = { url: 'https://example.com/hook', events: ['client.created', 'client.updated'] };
    const endpoint = (await api('POST /v1/webhooks/endpoints', hook)).body.id;
    const client = (await api('POST /v1/clients', { name: 'Traced' })).body;
    await api(`PATCH /v1/clients/${client.id}`, { name: 'Again' });
    const [event] = (await api('GET /v1/webhooks/events?limit=1')).body.data;
    await api(`POST /v1/webhooks/events/${event.id}/replay`, {});
    await api('POST /v1/users', { email: 'ada@example.com', role: 'viewer' });
    const group = (await api('POST /v1/groups', { name: 'Traced group' })).body;
    await api(`POST /v1/groups/${group.id}/members`, { client_id: client.id });
    const refused = (await api('POST /v1/clients', { nmae: 'Acme' })).headers.get('x-request-id');
    const seeded = (await api('GET /v1/roles')).body.data[0].id;
    const texts = [client.id, client.slug, event.id, endpoint, 'ada@example.com', group.slug, refused, seeded];
    const unknown = `cli_${'0'.repeat(26)}`;
    const odd = [`${client.id}?starting_after=1`, unknown, `${unknown}?starting_after=${client.id}`];
    const seen: unknown[] = [];
    for (const path of [...texts, `${client.id}?limit=1`, 'none', 'evt_1', ...odd]) {
      const { status, body } = await api(`GET /v1/trace/${path}`);
      const { subject, entries = [], problems, has_more, withheld } = body;
      const kindOf = (id: string | null) => entries.find((entry: { id: string }) => entry.id === id)?.kind ?? null;
      // Only the platform makes attempts, which fail here.
      const causes = entries
        .filter(({ delivery }: { delivery?: { attempt: number } }) => (delivery?.attempt ?? 1) === 1)
        .map(({ kind, caused_by: cause }: Record<string, string>) => [kind, kindOf(cause ?? null)]);
      const refusals = problems?.filter(({ entry_id: id }: { entry_id: string }) => id.startsWith('req_'));
      seen.push([status, body.code, subject?.type, causes, shapeOf(refusals), has_more, withheld]);
    }
    return seen;
  };
  expect(await run(mocked())).toEqual(await run(await real()));
});

test('a new mock has the content of a new sandbox, in the same order', async () => {
  expect(await beginning(mocked())).toEqual(await beginning(await real()));
});

/** Returns the initial content: ids numbered by first appearance, and the days of each invoice. */
async function beginning(api: Api): Promise<unknown> {
  const at = async (path: string) => {
    const { status, body } = await api(`GET /v1${path}`);
    expect(status, path).toBe(200);
    return body;
  };
  const lists = ['/clients', '/users', '/roles', '/modules/catalog', '/plans', '/groups', '/billing/invoices'];
  const found = [];
  for (const path of [...lists, '/billing/payments', '/tenant', '/settings']) found.push(await at(path));
  const [clients, , , , , groups, invoices] = found;
  for (const { id } of clients.data) found.push(await at(`/clients/${id}/locations`));
  for (const { id } of groups.data) {
    for (const part of ['members', 'owners', 'locations']) found.push(await at(`/groups/${id}/${part}`));
  }
  for (const { created_at, period_start, period_end, due_at } of invoices.data) {
    found.push([period_start, period_end, due_at].map((day) => Date.parse(day) - Date.parse(created_at)));
  }
  const ids: string[] = [];
  const numbered = JSON.stringify(found).replace(/"([a-z]{3})_[0-9a-z]{26}"/g, (id, prefix: string) => {
    if (!ids.includes(id)) ids.push(id);
    return JSON.stringify(`${prefix} ${ids.indexOf(id)}`);
  });
  return shapeOf(JSON.parse(numbered));
}

/** Headers to compare. */
const TOLD = ['content-type', 'x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

test('responses and errors have the same headers', async () => {
  const names = async (api: Api, ...call: Parameters<Api>) => {
    const { headers } = await api(...call);
    return [...TOLD, 'www-authenticate', 'retry-after', 'idempotent-replayed'].filter((name) => headers.has(name));
  };
  const typeOf = async (api: Api, call: string) => (await api(call)).headers.get('content-type');
  for (const call of ['GET /v1/me', 'GET /v1/clients?limit=0', 'GET /v1/nothing']) {
    expect(await names(mocked(), call), call).toEqual(await names(await real(), call));
    expect(await typeOf(mocked(), call), call).toBe(await typeOf(await real(), call));
  }
  const stranger = ['GET /v1/me', undefined, { authorization: 'Bearer plat_test_unknown' }] as const;
  expect(await names(mocked(), ...stranger)).toEqual(await names(await real(), ...stranger));
});

test('HEAD gets the status and the headers of GET, without a body', async () => {
  const { apiKey } = await platform.tenant();
  for (const path of ['/v1/clients', '/v1/clients?limit=0', '/v1/clients/nonsense', '/v1/nothing']) {
    const answers = [
      await mock.fetch(`${mock.baseUrl}${path}`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${mock.apiKey}` },
      }),
      await fetch(`${platform.baseUrl}${path}`, { method: 'HEAD', headers: { authorization: `Bearer ${apiKey}` } }),
    ];
    const told = answers.map(async (answer) => [
      answer.status,
      answer.headers.get('content-type'),
      await answer.text(),
    ]);
    const [mocked, real] = await Promise.all(told);
    expect(mocked, path).toEqual(real);
  }
});

test('a replay of all events since an endpoint was disabled clears its missed_since', async () => {
  const run = async (api: Api) => {
    const hook = { url: 'https://example.com/missed', events: ['*'] };
    const path = `/v1/webhooks/endpoints/${(await api('POST /v1/webhooks/endpoints', hook)).body.id}`;
    await api(`PATCH ${path}`, { status: 'disabled' });
    await api(`PATCH ${path}`, { status: 'enabled' });
    const seen: unknown[] = [];
    const since = '2026-01-01T00:00:00Z';
    for (const body of [
      { since, select: 'failed' },
      { since, event_types: ['client.created', 'client.created'] },
      { since },
    ]) {
      const replay = (await api('POST /v1/webhooks/replays', body)).body;
      seen.push([replay.event_types, shapeOf((await api(`GET ${path}`)).body.missed_since)]);
    }
    return seen;
  };
  const expected = await run(await real());
  expect(expected.at(-1)).toEqual([null, null]);
  expect(await run(mocked())).toEqual(expected);
});

// The story of endpoint health has the same for the server, whose replays begin by themselves.
test('a canceled replay of the mock restores the missed_since that it cleared', async () => {
  const api = mocked();
  const hook = { url: 'https://example.com/canceled', events: ['*'] };
  const path = `/v1/webhooks/endpoints/${(await api('POST /v1/webhooks/endpoints', hook)).body.id}`;
  await api(`PATCH ${path}`, { status: 'disabled' });
  const { missed_since } = (await api(`PATCH ${path}`, { status: 'enabled' })).body;
  const replay = (await api('POST /v1/webhooks/replays', { since: '2026-01-01T00:00:00Z' })).body;
  expect((await api(`GET ${path}`)).body.missed_since).toBeNull();
  await api(`POST /v1/webhooks/replays/${replay.id}/cancel`);
  expect((await api(`GET ${path}`)).body.missed_since).toBe(missed_since);
});

async function newClient(api: Api): Promise<{ readonly id: string }> {
  return (await api('POST /v1/clients', { name: 'New' })).body;
}

/** Creates, reads, changes and removes objects, with the refusals on the way. */
async function life(api: Api): Promise<void> {
  const refused = async (code: ErrorCode, ...call: Parameters<Api>): Promise<void> => {
    expect((await api(...call)).body.code, call[0]).toBe(code);
  };
  await api('GET /v1/me');
  const { id } = (await api('POST /v1/clients', { name: '  Ärger & Söhne ' })).body;
  const client = `/v1/clients/${id}`;
  await refused('SLUG_IN_USE', 'POST /v1/clients', { name: 'Other', slug: 'arger-sohne' });
  await refused('INVALID_BODY', 'POST /v1/clients', { nam: 'Acme' });
  await refused('INVALID_BODY', 'POST /v1/clients', { name: 7 });
  await refused('CLIENT_NOT_FOUND', 'GET /v1/clients/nonsense');
  await api(`PATCH ${client}`, { custom_domain: 'Shop.Example.com', status: 'inactive' });
  await api('GET /v1/clients?status=inactive');
  await refused('INVALID_BODY', `PATCH ${client}`, { domain: 'a.example', custom_domain: 'a.example' });
  await refused('INVALID_REQUEST', 'GET /v1/clients?limit=101');
  await refused('INVALID_CURSOR', 'GET /v1/clients?starting_after=x');
  await refused('INVALID_REQUEST', `GET /v1/clients?starting_after=${id}&ending_before=${id}`);
  await api(`GET /v1/clients?limit=1&starting_after=${id}`);

  const once = { 'idempotency-key': 'one' };
  await api('POST /v1/clients', { name: 'Once' }, once);
  await api('POST /v1/clients', { name: 'Once' }, once);
  await refused('IDEMPOTENCY_KEY_REUSED', 'POST /v1/clients', { name: 'Twice' }, once);
  await refused('INVALID_REQUEST', 'POST /v1/clients', { name: 'Once' }, { 'idempotency-key': 'a b' });

  const first = (await api(`POST ${client}/locations`, { name: 'Main', country: 'de' })).body;
  const second = (await api(`POST ${client}/locations`, { name: 'Spare', country: 'AT', timezone: 'Europe/Vienna' }))
    .body;
  await refused('DEFAULT_LOCATION_PROTECTED', `DELETE ${client}/locations/${first.id}`);
  await refused('DEFAULT_LOCATION_PROTECTED', `PATCH ${client}/locations/${first.id}`, { default: false });
  await api(`PATCH ${client}/locations/${second.id}`, { default: true });
  await api(`GET ${client}/locations`);

  const user = (await api('POST /v1/users', { email: 'ada@example.com', role: 'viewer', client_id: id })).body;
  await refused('EMAIL_IN_USE', 'POST /v1/users', { email: 'ADA@example.com', role: 'viewer' });
  await refused('ROLE_NOT_FOUND', 'POST /v1/users', { email: 'bob@example.com', role: 'nobody' });
  await refused('UNPROCESSABLE', `PATCH /v1/users/${user.id}`, { client_id: null, location_id: first.id });
  await api(`PATCH /v1/users/${user.id}`, { location_id: first.id, role: 'member' });
  await refused('LOCATION_IN_USE', `DELETE ${client}/locations/${first.id}`);
  await api(`POST /v1/users/${user.id}/invite`);
  await refused('UNPROCESSABLE', `POST /v1/users/${user.id}/deactivate`);
  const owner = (await api('GET /v1/users?role=owner')).body.data[0].id;
  await refused('LAST_OWNER_PROTECTED', `POST /v1/users/${owner}/deactivate`);
  await refused('USER_NOT_DELETABLE', `DELETE /v1/users/${owner}`);
  await refused('USER_NOT_INVITED', `POST /v1/users/${owner}/invite`);

  const group = (await api('POST /v1/groups', { name: 'Region' })).body.id;
  await refused('GROUP_MEMBER_NOT_FOUND', `GET /v1/groups/${group}/members/${id}`);
  await api(`POST /v1/groups/${group}/members`, { client_id: id });
  await refused('ALREADY_MEMBER', `POST /v1/groups/${group}/members`, { client_id: id });
  await api(`GET /v1/groups/${group}`);
  await api(`POST /v1/groups/${group}/owners`, { email: 'ada@example.com' });
  await refused('ALREADY_OWNER', `POST /v1/groups/${group}/owners`, { email: 'ada@example.com' });
  await api(`POST /v1/groups/${group}/owners`, { email: 'new@example.com' });
  await api(`GET /v1/groups/${group}/owners`);
  await api(`DELETE /v1/users/${user.id}`);
  await api('GET /v1/audit/events?limit=2');
  await refused('GROUP_OWNER_NOT_FOUND', `DELETE /v1/groups/${group}/owners/${user.id}`);
  await api(`DELETE ${client}/locations/${first.id}`);

  await api('GET /v1/roles?limit=4');
  const role = (await api('POST /v1/roles', { name: 'auditor', title: 'Auditor', capabilities: ['orders:read'] })).body;
  await refused('ROLE_NAME_IN_USE', 'POST /v1/roles', { name: 'auditor', title: 'Auditor' });
  await refused('INVALID_BODY', `PATCH /v1/roles/${role.id}`, { capabilities: ['nothing:read'] });
  await api(`PATCH /v1/roles/${role.id}`, { description: null });
  await api('PATCH /v1/settings', { default_timezone: 'Europe/Berlin', support_email: 'help@example.com' });
  await api('PATCH /v1/tenant', { name: 'Renamed' });

  const hook = { url: 'https://example.com/hook', events: ['client.deleted'] };
  const endpoint = (await api('POST /v1/webhooks/endpoints', hook)).body.id;
  await refused('WEBHOOK_URL_IN_USE', 'POST /v1/webhooks/endpoints', hook);
  await refused('INVALID_BODY', 'POST /v1/webhooks/endpoints', { url: 'nonsense', events: [] });
  await api(`POST /v1/webhooks/endpoints/${endpoint}/rotate_secret`, {});
  await api(`PATCH /v1/webhooks/endpoints/${endpoint}`, { status: 'disabled' });
  await api(`DELETE ${client}`);
  await api(`GET /v1/webhooks/events?object_id=${client.split('/').at(-1)}`);
  await api(`GET /v1/webhooks/events?object_id=${group}&type=group.member_added`);
  await api(`GET /v1/groups/${group}`);
  const [deleted] = (await api('GET /v1/webhooks/events?type=client.deleted')).body.data;
  await refused('UNPROCESSABLE', `POST /v1/webhooks/events/${deleted.id}/replay`, { endpoint_id: endpoint });
  await api(`POST /v1/webhooks/events/${deleted.id}/replay`, {});
  await api(`PATCH /v1/webhooks/endpoints/${endpoint}`, { status: 'enabled', events: ['client.created'] });
  await refused('UNPROCESSABLE', `POST /v1/webhooks/events/${deleted.id}/replay`, { endpoint_id: endpoint });
  await api('GET /v1/audit/events?limit=100&action=event.replayed');
  await api('GET /v1/audit/events?limit=100&action=group.owner_removed');
  await api(`DELETE /v1/webhooks/endpoints/${endpoint}`);
  await refused('INVALID_BODY', 'POST /v1/webhooks/replays', { since: '2999-01-01T00:00:00Z' });
  const replay = (await api('POST /v1/webhooks/replays', { since: '2026-01-01T00:00:00Z', select: 'failed' })).body.id;
  await refused('WEBHOOK_REPLAY_NOT_FOUND', `GET /v1/webhooks/replays/${endpoint}`);
  await api(`DELETE /v1/groups/${group}`);
  await refused('GROUP_NOT_FOUND', `GET /v1/groups/${group}`);
  expect(replay).toMatch(/^rpl_/);

  const { data } = (await api('GET /v1/webhooks/events?limit=100')).body;
  expect(data.length).toBeGreaterThan(10);
  const trail = (await api('GET /v1/audit/events?limit=100&action=client.updated')).body.data;
  expect(trail.length).toBe(1);
}
