import type { Scope } from '@plat/contract';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { type Answer, type Api, apiOf, operations, useBothSides } from './both-sides.fixture.ts';

// Guards the mock against drift: the same calls are refused by the mock and by the platform, in the same way.

// Real servers are slow on busy machines.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const { platform, mock, real, mocked } = await useBothSides({ afterAll, beforeEach });

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
