import { DEVELOPER_OPERATIONS, type DeveloperOperationName, type DeveloperOperationTypes } from '@plat/contract';
import { ApiError, type ResponseEvent } from '@plat/sdk';
import { DeveloperApi, type OAuthAppWithSecret } from '@plat/sdk/developer';
import type { TestApp } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { useServer } from '../support/story.ts';

/* The developer API through the SDK. */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

const APP = {
  name: 'Ledger Sync',
  redirect_uris: ['https://ledger.example/callback'],
  scopes: ['clients:read'],
} as const;
const ANY_URL = 'https://ledger.example/hooks';

/** A developer with an app, the installation of it in another sandbox, an endpoint and an event. */
interface Scene {
  readonly developer: DeveloperApi;
  readonly app: OAuthAppWithSecret;
  readonly grantId: string;
  readonly endpointId: string;
  readonly eventId: string;
}

const responses: ResponseEvent[] = [];
/** The sandbox of the developer, and the one that installed the app: a reset ends the consents of a sandbox. */
let tenantId: string;
let installedBy: string;
let scene: Scene;

beforeAll(async () => {
  ({ tenantId } = await story.server.createSandbox());
  ({ tenantId: installedBy } = await story.server.createSandbox());
  const token = await story.server.mintDeveloperToken(tenantId);
  const hooks = { onResponse: (event: ResponseEvent) => void responses.push(event) };
  const developer = new DeveloperApi({ token, baseUrl: story.server.baseUrl, hooks });
  scene = await build(developer);
});

async function build(developer: DeveloperApi): Promise<Scene> {
  const app = await developer.apps.register({ ...APP });
  const endpoint = await developer.apps.webhooks.endpoints.create(app.id, { url: ANY_URL, events: ['*'] });
  const { grantId } = await installed(app, installedBy);
  const { data } = await developer.apps.webhooks.events.list(app.id);
  return { developer, app, grantId, endpointId: endpoint.id, eventId: data[0]?.id ?? '' };
}

/** Returns the app as the test server needs it for a consent. */
function installed(app: OAuthAppWithSecret, by: string) {
  const { id: appId, client_secret: clientSecret, name, scopes } = app;
  const consenting: TestApp = { appId, clientSecret, developerId: '', name, scopes, redirectUri: APP.redirect_uris[0] };
  return story.server.grantTokens({ app: consenting, tenantId: by });
}

type Response<N extends DeveloperOperationName> = DeveloperOperationTypes[N]['response'];

/** A call of each operation. The compiler requires each. */
const CALLS: { readonly [N in DeveloperOperationName]: (scene: Scene) => PromiseLike<Response<N>> } = {
  'me.get': ({ developer }) => developer.me.get(),
  'tokens.list': ({ developer }) => developer.tokens.list({ limit: 5 }),
  async 'tokens.revoke'({ developer }) {
    // Another login, because the one in use is needed. The list has the newest first.
    await story.server.mintDeveloperToken(tenantId);
    const { data } = await developer.tokens.list();
    return developer.tokens.revoke(data[0]?.id ?? '');
  },
  'sandbox.get': ({ developer }) => developer.sandbox.get(),
  'sandbox.reset': ({ developer }) => developer.sandbox.reset(),
  'keys.get': ({ developer }) => developer.keys.get(),
  'keys.mint': ({ developer }) => developer.keys.mint({ expires_in: 60 }),
  async 'keys.revoke'({ developer }) {
    await developer.keys.mint();
    return developer.keys.revoke();
  },
  async 'keys.revoke_previous'({ developer }) {
    await developer.keys.mint({ expires_in: 60 });
    return developer.keys.revokePrevious();
  },
  'apps.list': ({ developer }) => developer.apps.list(),
  'apps.register': ({ developer }) => developer.apps.register({ ...APP, name: 'Another' }),
  'apps.get': ({ developer, app }) => developer.apps.get(app.id),
  'apps.update': ({ developer, app }) => developer.apps.update(app.id, { website: 'https://ledger.example' }),
  'apps.rotate_secret': ({ developer, app }) => developer.apps.rotateSecret(app.id, { expires_in: 60 }),
  async 'apps.revoke_previous_secret'({ developer }) {
    const { id } = await developer.apps.register({ ...APP });
    await developer.apps.rotateSecret(id, { expires_in: 60 });
    return developer.apps.revokePreviousSecret(id);
  },
  'apps.disable': async ({ developer }) => developer.apps.disable((await developer.apps.register({ ...APP })).id),
  async 'apps.enable'({ developer }) {
    const { id } = await developer.apps.register({ ...APP });
    await developer.apps.disable(id);
    return developer.apps.enable(id);
  },
  'apps.delete': async ({ developer }) => developer.apps.delete((await developer.apps.register({ ...APP })).id),
  'apps.request_verification': async ({ developer }) =>
    developer.apps.requestVerification((await developer.apps.register({ ...APP })).id),
  'apps.installations.list': ({ developer, app }) => developer.apps.installations.list(app.id, { state: 'active' }),
  'apps.installations.get': ({ developer, app, grantId }) => developer.apps.installations.get(app.id, grantId),
  'apps.trace.get': ({ developer, app, eventId }) => developer.apps.trace.get(app.id, eventId),
  'apps.refusals.list': ({ developer, app }) => developer.apps.refusals.list(app.id, { endpoint: 'token' }),
  'apps.webhooks.endpoints.list': ({ developer, app }) => developer.apps.webhooks.endpoints.list(app.id),
  'apps.webhooks.endpoints.create': ({ developer, app }) =>
    developer.apps.webhooks.endpoints.create(app.id, { url: `${ANY_URL}/2`, events: ['installation.revoked'] }),
  'apps.webhooks.endpoints.get': ({ developer, app, endpointId }) =>
    developer.apps.webhooks.endpoints.get(app.id, endpointId),
  'apps.webhooks.endpoints.update': ({ developer, app, endpointId }) =>
    developer.apps.webhooks.endpoints.update(app.id, endpointId, { description: 'Ledger' }),
  async 'apps.webhooks.endpoints.delete'({ developer, app }) {
    const given = { url: `${ANY_URL}/3`, events: ['*'] } as const;
    const { id } = await developer.apps.webhooks.endpoints.create(app.id, given);
    return developer.apps.webhooks.endpoints.delete(app.id, id);
  },
  'apps.webhooks.endpoints.rotate_secret': ({ developer, app, endpointId }) =>
    developer.apps.webhooks.endpoints.rotateSecret(app.id, endpointId),
  'apps.webhooks.events.list': ({ developer, app }) => developer.apps.webhooks.events.list(app.id, { limit: 1 }),
  'apps.webhooks.events.get': ({ developer, app, eventId }) => developer.apps.webhooks.events.get(app.id, eventId),
  'apps.webhooks.events.replay': ({ developer, app, eventId }) =>
    developer.apps.webhooks.events.replay(app.id, eventId),
  'apps.webhooks.deliveries.list': ({ developer, app, eventId }) =>
    developer.apps.webhooks.deliveries.list(app.id, { event_id: eventId }),
  async 'apps.webhooks.deliveries.get'({ developer, app }) {
    const { data } = await developer.apps.webhooks.deliveries.list(app.id);
    return developer.apps.webhooks.deliveries.get(app.id, data[0]?.id ?? '');
  },
  'apps.webhooks.replays.list': ({ developer, app }) => developer.apps.webhooks.replays.list(app.id),
  'apps.webhooks.replays.create': (given) => replay(given),
  'apps.webhooks.replays.get': async (given) =>
    given.developer.apps.webhooks.replays.get(given.app.id, (await replay(given)).id),
  'apps.webhooks.replays.cancel': async (given) =>
    given.developer.apps.webhooks.replays.cancel(given.app.id, (await replay(given)).id),
  'consents.list': ({ developer }) => developer.consents.list(),
  async 'consents.revoke'({ developer }) {
    const { grantId } = await installed(await developer.apps.register({ ...APP }), tenantId);
    return developer.consents.revoke(grantId);
  },
  'launch_tokens.mint': ({ developer }) => developer.launchTokens.mint({ module: 'analytics' }),
};

function replay({ developer, app, endpointId }: Scene) {
  return developer.apps.webhooks.replays.create(app.id, {
    endpoint_id: endpointId,
    since: new Date(Date.now() - 60_000).toISOString(),
  });
}

test.each(Object.keys(DEVELOPER_OPERATIONS) as DeveloperOperationName[])(
  '%s is called by its method, and its answer has the status of the contract',
  async (name) => {
    responses.length = 0;
    const answer = await CALLS[name](scene);
    expect(answer).toMatchObject({ object: expect.any(String) });
    const { method, status } = DEVELOPER_OPERATIONS[name];
    expect(responses.at(-1)).toMatchObject({ operation: `developer.${name}`, method, status });
  },
);

test('a list loads page after page until its end', async () => {
  const { developer, app } = scene;
  const tenants = await Promise.all([1, 2].map(() => story.server.createSandbox()));
  for (const other of tenants) await installed(app, other.tenantId);
  responses.length = 0;
  const found: string[] = [];
  for await (const installation of developer.apps.installations.list(app.id, { limit: 1 })) {
    found.push(installation.tenant_id);
  }
  expect(found).toEqual([...tenants.map((each) => each.tenantId).reverse(), installedBy]);
  expect(responses.length).toBeGreaterThanOrEqual(3);
});

test('a refusal has the code, the status and the request id of the server', async () => {
  const error = await scene.developer.apps.installations.list('app_01k0z8k3v7e5q2m9t4r6w1x8c0').then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'APP_NOT_FOUND', status: 404, requestId: expect.stringMatching(/^req_/) });
  const invalid = scene.developer.apps.register({ ...APP, redirect_uris: ['http://evil.example/*'] });
  await expect(invalid).rejects.toMatchObject({ code: 'INVALID_BODY', errors: [{ path: 'redirect_uris.0' }] });
});

test('an API key is no developer token', async () => {
  const { apiKey } = await story.server.createTenant();
  const stranger = new DeveloperApi({ token: apiKey, baseUrl: story.server.baseUrl });
  await expect(stranger.me.get()).rejects.toMatchObject({ code: 'INVALID_TOKEN', status: 401 });
});

test('a POST that is sent again with its idempotency key has one effect', async () => {
  const { developer } = scene;
  const [first, again] = [
    await developer.apps.register({ ...APP, name: 'Once' }, { idempotencyKey: 'register-once' }),
    await developer.apps.register({ ...APP, name: 'Once' }, { idempotencyKey: 'register-once' }),
  ];
  expect(again).toEqual(first);
  const names = (await developer.apps.list().toArray()).map(({ name }) => name);
  expect(names.filter((name) => name === 'Once')).toHaveLength(1);
});
