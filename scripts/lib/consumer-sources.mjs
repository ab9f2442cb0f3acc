/** A module of a consumer that imports every client package. */
export const USES = `import { LIMITS } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { createLaunchVerifier } from '@plat/launch-token';
import { expressLaunch } from '@plat/launch-token/express';
import { ApiError, type Client, Platform } from '@plat/sdk';
import { DeveloperApi, type Installation } from '@plat/sdk/developer';
import { toCsv } from '@plat/sdk/export';
import { fileStore } from '@plat/sdk/node';
import { memoryStore, OAuth } from '@plat/sdk/oauth';
import { createMockPlatform } from '@plat/testing/mock';
import { createVerifier } from '@plat/webhooks';
import { expressWebhook } from '@plat/webhooks/express';
import { signTestEvent } from '@plat/webhooks/testing';

export const plat = new Platform({ apiKey: 'plat_test_x', baseUrl: 'http://127.0.0.1:1' });
export async function names(): Promise<string[]> {
  const all: string[] = [];
  for await (const client of plat.clients.list()) all.push((client satisfies Client).name);
  return all;
}
export const developer = new DeveloperApi({ token: 'plat_dv_x', baseUrl: 'http://127.0.0.1:1' });
export async function tenants(app: string): Promise<string[]> {
  const all: string[] = [];
  for await (const each of developer.apps.installations.list(app)) all.push((each satisfies Installation).tenant_id);
  return all;
}
export const uses = [ApiError, OAuth, memoryStore, fileStore, toCsv, createVerifier, expressWebhook, signTestEvent];
export const more = [createLaunchVerifier, createMockPlatform, expressLaunch, LIMITS, SCHEMAS];
`;

/** A module of a consumer with typed ids. */
export const TYPED_IDS = `import type { Client, Id, Platform, User } from '@plat/sdk';
import type { DeveloperApi, OAuthApp } from '@plat/sdk/developer';
declare module '@plat/contract' {
  interface TypedIds {
    enabled: true;
  }
}

export async function move(plat: Platform, client: Client, user: User, text: string): Promise<Id<'client'>> {
  await plat.clients.get(client.id);
  await plat.clients.get('cli_x');
  await plat.users.update(user.id, { role: 'viewer' });
  // @ts-expect-error the id of a user is no id of a client
  await plat.clients.get(user.id);
  // @ts-expect-error the ids are in the wrong order
  await plat.clients.locations.get((await plat.clients.locations.list(client.id)).data[0]?.id ?? 'loc_x', client.id);
  // @ts-expect-error any text is no id
  await plat.clients.get(text);
  // @ts-expect-error an invitation is for a client
  await plat.users.list({ client_id: user.id });
  return client.id;
}

export async function visit(developer: DeveloperApi, app: OAuthApp, client: Client): Promise<void> {
  await developer.apps.get(app.id);
  // @ts-expect-error the id of a client is no id of an app
  await developer.apps.installations.list(client.id);
}
`;

/** A module of a consumer without typed ids. */
export const PLAIN_IDS = `import type { Client, Platform } from '@plat/sdk';

export async function find(plat: Platform, text: string): Promise<string> {
  const client: Client = await plat.clients.get(text);
  return client.id;
}
`;

/** A module of a consumer that reads the start of a list. */
export const AWAIT_USING = `import type { Client, ListCall, Page } from '@plat/sdk';

export async function start(list: ListCall<Client>): Promise<[Client | undefined, Page<Client> | undefined]> {
  await using items = list[Symbol.asyncIterator]();
  await using pages = list.pages();
  await using few = list.take(2)[Symbol.asyncIterator]();
  return [(await items.next()).value ?? (await few.next()).value, (await pages.next()).value];
}
`;

const OAUTH = `import { memoryStore, OAuth } from '@plat/sdk/oauth';
export const oauth = new OAuth({ baseUrl: '', clientId: '', clientSecret: '', redirectUri: '', store: memoryStore() });
export const platform = (key: string) => oauth.actingFor(key);
export const list = (key: string) => oauth.actingFor(key).clients.list();
export const page = async (key: string) => oauth.actingFor(key).clients.list();
export const state = (token: string) => oauth.introspect(token);
`;
const DEVELOPER = `import { DeveloperApi } from '@plat/sdk/developer';
export const developer = new DeveloperApi({ token: '', baseUrl: '' });
export const apps = () => developer.apps.list();
export const app = (id: string) => developer.apps.get(id).withMeta();
`;
const NODE = `import { fileStore, nodeTransport } from '@plat/sdk/node';
export const store = fileStore('grants');
export const transport = nodeTransport();
`;
const TESTING = `import { createMockPlatform } from '@plat/testing/mock';
import { signTestEvent } from '@plat/webhooks/testing';
export const delivery = signTestEvent('client.created');
export const platform = createMockPlatform();
export const signed = async () => Promise.all(platform.events.map((event) => platform.sign(event, { secret: 'whsec_x' })));
`;
const webhook = (framework) => `import { ${framework}Webhook } from '@plat/webhooks/${framework}';
export const receive = ${framework}Webhook({ secrets: 'whsec_x' }, () => {});
export const first = (...[event]: Parameters<Parameters<typeof ${framework}Webhook>[1]>) => event;
`;
const launch = (framework) => `import { launchOf } from '@plat/launch-token/${framework}';
export const claims = (request: object) => launchOf(request);
`;

/** Modules that export values of inferred types. Each imports at most one entry of a package, and no main entry. */
export const DECLARED = [
  {
    entries: 'sdk/oauth, webhooks/express, launch-token/express',
    source: OAUTH + webhook('express') + launch('express'),
  },
  {
    entries: 'sdk/developer, webhooks/fastify, launch-token/web',
    source: DEVELOPER + webhook('fastify') + launch('web'),
  },
  { entries: 'sdk/node, webhooks/hono', source: NODE + webhook('hono') },
  { entries: 'webhooks/testing, testing/mock', source: TESTING },
  ...['next', 'lambda', 'azure'].map((each) => ({ entries: `webhooks/${each}`, source: webhook(each) })),
];

/** A test of a consumer. The runner's `test` is put before it. */
export const TEST = `import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLaunchVerifier, LaunchTokenError } from '@plat/launch-token';
import { createLaunchVerifier as createWebLaunchVerifier } from '@plat/launch-token/web-crypto';
import { ApiError, InvalidArgumentError, Platform } from '@plat/sdk';
import { DeveloperApi } from '@plat/sdk/developer';
import { fileStore } from '@plat/sdk/node';
import { OAuth } from '@plat/sdk/oauth';
import { createMockPlatform } from '@plat/testing/mock';
import { createVerifier, WebhookVerificationError } from '@plat/webhooks';
import { signTestEvent, TEST_SECRET } from '@plat/webhooks/testing';
import { createVerifier as createWebVerifier } from '@plat/webhooks/web';

test('calls the API, and verifies deliveries and launch tokens', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
    response.end('{"code":"CLIENT_NOT_FOUND","message":"unknown"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`;
  const plat = new Platform({ apiKey: 'plat_test_x', baseUrl });
  const refused: unknown = await plat.clients.get('cli_x').catch((error: unknown) => error);
  check(refused instanceof ApiError && refused.code === 'CLIENT_NOT_FOUND');
  const developer = new DeveloperApi({ token: 'plat_dv_x', baseUrl });
  const noApp: unknown = await developer.apps.get('app_x').catch((error: unknown) => error);
  check(noApp instanceof ApiError && noApp.status === 404);

  const verifier = createVerifier({ secrets: TEST_SECRET });
  const { rawBody, headers } = signTestEvent('client.created');
  check(verifier.verify(rawBody, headers).type === 'client.created');
  const forged = signTestEvent('client.created', { flaw: 'SIGNATURE_MISMATCH' });
  check(thrownBy(() => verifier.verify(forged.rawBody, forged.headers)) instanceof WebhookVerificationError);

  const launches = createLaunchVerifier({ issuer: baseUrl, audience: 'app' });
  check((await launches.verify('x').catch((error: unknown) => error)) instanceof LaunchTokenError);
  plat.close();
  server.close();
});

test('a mock answers the SDK, and signs an event for a receiver', async () => {
  const mock = createMockPlatform();
  const plat = new Platform({ apiKey: mock.apiKey, baseUrl: mock.baseUrl, fetch: mock.fetch });
  await plat.clients.create({ name: 'Acme' });
  const [event] = mock.events;
  if (!event) throw new Error('the mock has no event');
  const { rawBody, headers } = await mock.sign(event, { secret: TEST_SECRET });
  check(createVerifier({ secrets: TEST_SECRET }).verify(rawBody, headers).id === event.id);
});

test('each entry throws the classes that the main entry exports', async () => {
  check(thrownBy(() => new OAuth({} as never)) instanceof InvalidArgumentError);
  check(thrownBy(() => new DeveloperApi({ apiKey: 'x' } as never)) instanceof InvalidArgumentError);
  check(thrownBy(() => fileStore({} as never)) instanceof InvalidArgumentError);
  const deliveries = createWebVerifier({ secrets: TEST_SECRET });
  check((await deliveries.verify('{}', {}).catch((error: unknown) => error)) instanceof WebhookVerificationError);
  const launches = createWebLaunchVerifier({ issuer: 'http://127.0.0.1:1', audience: 'app' });
  check((await launches.verify('x').catch((error: unknown) => error)) instanceof LaunchTokenError);
});

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

function check(isTrue: boolean): void {
  if (!isTrue) throw new Error('the check failed');
}
`;
