import type { TestApp, TestSession, TestTenant } from '@plat/server/testing';
import * as oauth from 'oauth4webapi';
import { ClientSecretBasic } from 'openid-client';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decideConsent } from '../support/consent.ts';
import { arctic } from '../support/oauth-clients/arctic.ts';
import { authJs } from '../support/oauth-clients/auth-js.ts';
import { badgateway } from '../support/oauth-clients/badgateway.ts';
import type { ClientTokens, OAuthClient, OpenClient } from '../support/oauth-clients/client.ts';
import { oauth4webapi } from '../support/oauth-clients/oauth4webapi.ts';
import { openidClient } from '../support/oauth-clients/openid-client.ts';
import { passportOAuth2 } from '../support/oauth-clients/passport-oauth2.ts';
import { simpleOAuth2 } from '../support/oauth-clients/simple-oauth2.ts';
import { hasPythonClients, pythonClient } from '../support/python.ts';
import { useServer } from '../support/story.ts';

/* Client libraries of other authors, unmodified, with the settings from their documentation. */

const clients: readonly (readonly [string, OpenClient])[] = [
  ['openid-client', openidClient()],
  ['openid-client, by HTTP Basic', openidClient(ClientSecretBasic)],
  ['oauth4webapi, by HTTP Basic', oauth4webapi(oauth.ClientSecretBasic)],
  ['oauth4webapi, by form', oauth4webapi(oauth.ClientSecretPost)],
  ['simple-oauth2', simpleOAuth2()],
  ['simple-oauth2, by form', simpleOAuth2('body')],
  ['@badgateway/oauth2-client', badgateway],
  ['passport-oauth2', passportOAuth2],
  ['arctic', arctic],
  ['Auth.js', authJs],
  ...(hasPythonClients()
    ? ([
        ['Authlib, by HTTP Basic', pythonClient('authlib client_secret_basic')],
        ['Authlib, by form', pythonClient('authlib client_secret_post')],
        ['Requests-OAuthlib', pythonClient('requests-oauthlib')],
      ] as const)
    : []),
];

const SCOPES = ['me:read', 'clients:read'] as const;
const story = useServer();
let app: TestApp;
let tenant: TestTenant;
let owner: TestSession;
let client: OAuthClient;

beforeAll(async () => {
  // The callback of Auth.js. The other libraries have no default callback.
  app = await story.server.createApp({ redirectUris: ['http://127.0.0.1:4999/auth/callback/plat'], scopes: SCOPES });
  tenant = await story.server.createTenant();
  owner = await story.server.signInAdmin(tenant.ownerId);
});

describe.each(clients)('%s', (_title, open) => {
  beforeEach(async () => {
    client = await open({ baseUrl: story.server.baseUrl, app, scopes: SCOPES });
  });
  afterEach(() => client.close?.());

  /** The redirect URI of the owner's browser. */
  const consent = async () => decideConsent(await client.begin(), owner);
  const connect = async (): Promise<ClientTokens> => client.finish(await consent());
  const errorOf = (work: Promise<unknown>) => work.then(() => 'none', client.errorOf);
  const me = () => ({
    object: 'me',
    tenant_id: tenant.tenantId,
    credential_type: 'oauth_token',
    scopes: [...SCOPES],
  });

  test('asks for consent, exchanges the code, and calls the API', async () => {
    const { accessToken } = await connect();
    expect(await client.me(accessToken)).toEqual(me());
  });

  test('reports invalid_grant when a code is used again, and the tokens of its first use are revoked', async () => {
    const callback = await consent();
    const { accessToken } = await client.finish(callback);
    expect(await errorOf(client.finish(callback))).toBe('invalid_grant');
    await expectDead(accessToken);
  });

  test('refreshes, and reports invalid_grant for a refresh with the previous token', async (context) => {
    const { refresh } = client;
    if (!refresh) return context.skip('it has no refresh');
    const first = await connect();
    const second = await refresh(first.refreshToken);
    expect(new Set([...Object.values(first), ...Object.values(second)]).size).toBe(4);
    expect(await client.me(second.accessToken)).toEqual(me());
    const third = await refresh(second.refreshToken);
    expect(await errorOf(refresh(first.refreshToken))).toBe('invalid_grant');
    expect(await errorOf(refresh(third.refreshToken))).toBe('invalid_grant');
    await expectDead(third.accessToken);
  });

  test('sees by introspection that a token works, and that it does not after revocation', async (context) => {
    const { introspect, revoke } = client;
    if (!introspect && !revoke) return context.skip('it has neither');
    const tokens = await connect();
    expect(await introspect?.(tokens.accessToken)).toEqual(
      introspect && {
        active: true,
        client_id: app.appId,
        scope: SCOPES.join(' '),
        exp: expect.any(Number),
        sub: tenant.ownerId,
        tenant_id: tenant.tenantId,
      },
    );
    await revoke?.(tokens);
    expect(await introspect?.(tokens.accessToken)).toEqual(introspect && { active: false });
    await expectDead(tokens.accessToken);
  });

  test('rejects a denial', async () => {
    const callback = await decideConsent(await client.begin(), owner, 'deny');
    await expect(client.finish(callback)).rejects.toBeDefined();
  });
});

async function expectDead(accessToken: string): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` };
  expect((await fetch(`${story.server.baseUrl}/v1/me`, { headers })).status).toBe(401);
}
