import { type ErrorCode, OPERATIONS, type OperationInfo, type OperationName, type Scope } from '@plat/contract';
import { check, OPERATION_SCHEMAS, SCHEMAS } from '@plat/contract/schemas';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { usePlatform } from '../use-platform.ts';
import { createMockPlatform } from './create-mock-platform.ts';

/*
 * Guards the mock against drift. The same calls go to the mock and to the platform, and their responses must
 * have the same status, the same code and the same shape.
 */

// Real servers are slow on busy machines.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const platform = await usePlatform({ afterAll });
const mock = createMockPlatform();

beforeEach(() => mock.reset());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON; a path that is not there fails the test
  readonly body: any;
}

type Api = (call: string, body?: object | string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

/** Calls `GET /v1/clients` and the like. */
function apiOf(baseUrl: string, apiKey: string, fetch: typeof mock.fetch): Api {
  return async (call, body, headers = {}) => {
    const [method = '', path = ''] = call.split(' ');
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

const real = async (): Promise<Api> => apiOf(platform.baseUrl, (await platform.tenant()).apiKey, fetch);
const mocked = (): Api => apiOf(mock.baseUrl, mock.apiKey, mock.fetch);

/**
 * Returns a response without its variable parts: ids and times are replaced by their format, messages are removed.
 */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return 'a time';
    // The developer of a sandbox differs in each run.
    if (/^dev_\w+@example\.com$/.test(value)) return 'owner@sandbox.example';
    return value.replace(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1_…').replace(/^whsec_\w+$/, 'whsec_…');
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'message')
      .map(([name, item]) => [name, shapeOf(item)]),
  );
}

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

const operations = Object.entries(OPERATIONS) as [OperationName, OperationInfo][];

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

test('every list has the same filters', async () => {
  const api = await real();
  for (const [name, { path, list }] of operations.filter(([, operation]) => operation.list)) {
    expect(list).toBe(true);
    if (path.includes('{')) continue;
    const query = 'limit=0&status=nonsense&slug=Not+One&role=Not+One&email=nobody&type=nonsense&select=x&unknown=1';
    const [told, known] = [await mocked()(`GET ${path}?${query}`), await api(`GET ${path}?${query}`)];
    const paths = ({ body }: Answer) => body.errors.map((error: { path: string }) => error.path).sort();
    expect(paths(told), name).toEqual(paths(known));
  }
});

test('a misspelt value is refused with the same message, which names a near value', async () => {
  const api = await real();
  for (const [call, body] of [
    ['GET /v1/webhooks/deliveries?status=faild'],
    ['GET /v1/requests?operation=clients.creat'],
    ['GET /v1/requests?code=invalid_bdy'],
    ['POST /v1/webhooks/endpoints', { url: 'https://example.com/hook', events: ['client.creatd'] }],
  ] as const) {
    const { body: known } = await api(call, body);
    expect(known.message).toMatch(
      / Did you mean (?:failed|clients\.create|INVALID_BODY|client\.created)\? It must be one of /,
    );
    expect((await mocked()(call, body)).body).toEqual(known);
  }
});

test('a key with one scope gets the same refusals and challenges', async () => {
  const { server, baseUrl } = platform;
  const { tenantId } = await platform.tenant();
  const run = async (mintKey: (scope: Scope) => Promise<string> | string, side: string, send: typeof mock.fetch) => {
    const seen: unknown[] = [];
    for (const scope of ['me:read', 'clients:read', 'audit:read'] as const) {
      const api = apiOf(side, await mintKey(scope), send);
      const traces = ['ada@example.com', 'acme', `cli_${'0'.repeat(26)}`].map((id) => `GET /v1/trace/${id}`);
      const calls = operations.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, 'none')}`);
      for (const call of [...calls, ...traces]) {
        const { status, headers, body } = await api(call);
        seen.push([scope, call, status, body.code, headers.get('www-authenticate')?.replace(side, '…')]);
      }
    }
    return seen;
  };
  const expected = await run((scope) => server.mintKey(tenantId, [scope]), baseUrl, fetch);
  expect(await run((scope) => mock.mintKey([scope]), mock.baseUrl, mock.fetch)).toEqual(expected);
});

test('a path outside the API is not found, also without a credential', async () => {
  for (const path of ['/nothing', '/oauth/token/', '/V1/me', '/v1x']) {
    for (const method of ['GET', 'POST']) {
      const answers = [
        await mock.fetch(mock.baseUrl + path, { method }),
        await fetch(platform.baseUrl + path, { method }),
      ];
      const told = await Promise.all(answers.map(async (answer) => [answer.status, (await answer.json()).code]));
      expect(told, path).toEqual([
        [404, 'NOT_FOUND'],
        [404, 'NOT_FOUND'],
      ]);
    }
  }
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

/** Allowed and forbidden destinations of deliveries: every rule, and notations that could bypass one. */
const TARGETS = [
  ...['https://example.com/', 'https://8.8.8.8:8443/h', 'https://[2606:4700::1111]/', 'https://example.com:443/'],
  ...[
    'http://localhost:3000/',
    'http://127.0.0.1:3000/',
    'https://[::1]/',
    'http://app.localhost/',
    'http://2130706433/',
  ],
  ...['http://[::ffff:127.0.0.1]/', 'https://localhost./', 'https://[::127.0.0.1]/'],
  ...[
    'http://example.com/h',
    'http://8.8.8.8/',
    'HTTP://example.com/',
    'ftp://example.com/',
    'https:example.com',
    '//a.de/',
  ],
  ...['https://a:b@example.com/h', 'https://a@example.com/', 'https://example.com/#', 'https://exa mple.com/'],
  ...['https://example.com\\h', 'https://example.com:25/h', 'https://example.com:3306/', 'https://example.com:0/'],
  ...[
    'https://10.0.0.1/h',
    'https://192.168.1.1/',
    'https://172.31.255.255/',
    'https://172.32.0.0/',
    'https://0x0a.1/',
  ],
  ...[
    'https://169.254.169.254/',
    'https://100.64.0.1/',
    'https://168.63.129.16/',
    'https://0.0.0.0/',
    'https://255.1/',
  ],
  ...['https://203.0.113.9/', 'https://224.0.0.1/', 'https://[::]/', 'https://[fe80::1]/', 'https://[fd00::1]/'],
  ...['https://[::ffff:10.0.0.1]/', 'https://[64:ff9b::a00:1]/', 'https://[2002:a00:1::]/', 'https://[ff02::1]/'],
  ...[
    'https://[2001:db8::1]/',
    'https://[4000::1]/',
    'https://[2606:4700::5efe:a00:1]/',
    'https://[2606::200:5efe:1:1]/',
  ],
  ...['https://intranet/', 'https://db.internal/', 'https://printer.local./', 'https://NAS.LAN/'],
];

test('the same webhook URLs are refused, with the same messages', async () => {
  const told = async (api: Api) => {
    const seen: unknown[] = [];
    for (const url of TARGETS) {
      const { status, body } = await api('POST /v1/webhooks/endpoints', { url, events: ['client.created'] });
      seen.push([url, status, body.code, body.errors]);
    }
    return seen;
  };
  expect(await told(mocked())).toEqual(await told(await real()));
});

test('requests outside the field rules are refused alike: paths, tokens in the query, repeated parameters, list items', async () => {
  const endpoint = (events: readonly unknown[]) => ({ url: 'https://example.com/h', events });
  const calls: readonly Parameters<Api>[] = [
    ['GET /v1/clients/'],
    ['GET /v1/Clients'],
    ['GET /v1/clients//x'],
    ['GET /v1/'],
    ['PATCH /v1/me', {}],
    ['GET /v1/clients/%zz'],
    ['GET /v1/clients/%zz', undefined, { authorization: 'Bearer plat_test_unknown' }],
    ['GET /v1/clients/a%2Fb'],
    ['GET /v1/me?access_token=x'],
    ['GET /v1/clients?limit=1&limit=2'],
    ['GET /v1/clients?status=active&status=active'],
    ['GET /v1/audit/events?action=a&action=b'],
    ['GET /v1/me?unknown=1&unknown=2'],
    ['POST /v1/webhooks/endpoints', endpoint(['nope'])],
    ['POST /v1/webhooks/endpoints', endpoint(['*', 7, 'nope'])],
    ['POST /v1/roles', { name: 'odd', title: 'Odd', capabilities: ['orders:read', 7] }],
  ];
  const told = async (api: Api) => {
    const seen: unknown[] = [];
    for (const call of calls) {
      const { status, headers, body } = await api(...call);
      const paths = body.errors?.map((error: { path: string }) => error.path);
      seen.push([call[0], status, body.code, paths, headers.has('www-authenticate'), headers.has('x-ratelimit-limit')]);
    }
    return seen;
  };
  expect(await told(mocked())).toEqual(await told(await real()));
});

async function newClient(api: Api): Promise<{ readonly id: string }> {
  return (await api('POST /v1/clients', { name: 'New' })).body;
}

const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 0]));
const inCharset = (charset: string) => ({ 'content-type': `application/json; charset=${charset}` });
const CALLS: readonly (readonly [string, Parameters<Api>])[] = [
  ['with a member given twice', ['POST /v1/clients', '{"name":"Acme","x":[{"y":1,"y":2}]}']],
  ['in another charset', ['POST /v1/clients', { name: 'Acme' }, inCharset('latin1')]],
  ['of too many fields', ['POST /v1/clients', members(2_000)]],
  ['of many unknown fields', ['POST /v1/clients', members(60)]],
  ['with an unknown field of a long name', ['POST /v1/clients', { name: 'Acme', ['x'.repeat(60_000)]: 1 }]],
  ['of too many values', ['POST /v1/roles', { name: 'a', title: 'A', capabilities: Array(5_000).fill('a:b') }]],
  ['with too long a list', ['POST /v1/webhooks/endpoints', { url: 'https://example.com/', events: Array(30).fill(1) }]],
  ['nested too deeply', ['POST /v1/clients', `{"name":${'['.repeat(40)}${']'.repeat(40)}}`]],
  ['with NUL', ['POST /v1/clients', { name: 'a\0b' }]],
  ['with a query of too many parameters', [`GET /v1/clients?${'p=1&'.repeat(200)}`]],
];
test.each(CALLS)('a request %s is refused, for the same fields', async (_request, call) => {
  const fieldsOf = ({ status, body }: Answer) => [
    status,
    body.code,
    body.errors.map(({ path }: { path: string }) => path).sort(),
  ];
  const [mockedFields, realFields] = [fieldsOf(await mocked()(...call)), fieldsOf(await (await real())(...call))];
  expect(mockedFields[0]).toBe(400);
  expect(mockedFields).toEqual(realFields);
});

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
