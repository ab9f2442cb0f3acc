import { LIMITS, OAUTH_PATHS } from '@plat/contract';
import { newPkce } from '@plat/server/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { usePlatform } from '../../use-platform.ts';
import { createMockPlatform } from '../index.ts';

// Guards the OAuth endpoints of the mock against drift: the same requests go to the mock and to the platform.

// Real servers are slow on busy machines.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const platform = await usePlatform({ afterAll });
const mock = createMockPlatform();

type Form = Readonly<Record<string, string>>;

/** The mock or the platform, with its own apps. */
interface Side {
  readonly app: Form;
  readonly otherApp: Form;
  /** Gives a consent, and returns the form that exchanges its code. */
  readonly consent: () => Promise<Form>;
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
}

const SCOPES = ['clients:read', 'groups:read'] as const;

async function real(): Promise<Side> {
  const { server, baseUrl } = platform;
  const { tenantId } = await platform.tenant();
  const app = await server.createApp({ scopes: SCOPES });
  const other = await server.createApp({ scopes: SCOPES });
  return {
    app: { client_id: app.appId, client_secret: app.clientSecret },
    otherApp: { client_id: other.appId, client_secret: other.clientSecret },
    async consent() {
      const { code, codeVerifier, redirectUri } = await server.grant({ app, tenantId });
      return { grant_type: 'authorization_code', code, code_verifier: codeVerifier, redirect_uri: redirectUri };
    },
    send: (path, init) => fetch(`${baseUrl}${path}`, init),
  };
}

function mocked(): Side {
  const { clientId, clientSecret, redirectUri } = mock.oauth.registerApp({ scopes: SCOPES });
  const other = mock.oauth.registerApp({ scopes: SCOPES });
  return {
    app: { client_id: clientId, client_secret: clientSecret },
    otherApp: { client_id: other.clientId, client_secret: other.clientSecret },
    async consent() {
      const { codeVerifier, codeChallenge } = newPkce();
      const url = new URL(`${mock.baseUrl}${OAUTH_PATHS.authorize}`);
      const request = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: SCOPES.join(' '),
      };
      const pkce = { code_challenge: codeChallenge, code_challenge_method: 'S256' };
      url.search = new URLSearchParams({ ...request, ...pkce }).toString();
      const code = new URL(mock.oauth.authorize(url)).searchParams.get('code') ?? '';
      return { grant_type: 'authorization_code', code, code_verifier: codeVerifier, redirect_uri: redirectUri };
    },
    send: (path, init) => mock.fetch(`${mock.baseUrl}${path}`, init),
  };
}

const HEADER_NAMES = ['www-authenticate', 'cache-control', 'pragma', 'allow', 'content-type', 'x-ratelimit-limit'];

/** Runs the same steps on one side. Returns what each was answered with, without its variable parts. */
async function run(side: Side): Promise<unknown[]> {
  const seen: unknown[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: any JSON; a field that is not there fails the comparison
  const note = async (response: Response): Promise<any> => {
    const body = await response.json();
    const headers = HEADER_NAMES.map((name) => response.headers.get(name));
    seen.push(shapeOf([response.status, headers, body]));
    return body;
  };
  const post = async (path: string, form: Form | string, headers: Form = {}) =>
    note(
      await side.send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      }),
    );
  const token = (form: Form) => post(OAUTH_PATHS.token, { ...form, ...side.app });
  const me = async (access: string) =>
    note(await side.send('/v1/me', { headers: { authorization: `Bearer ${access}` } }));
  const refresh = (refresh_token: string) => ({ grant_type: 'refresh_token', refresh_token });

  // Forms.
  await note(await side.send(OAUTH_PATHS.token));
  await post(OAUTH_PATHS.token, {});
  await post(OAUTH_PATHS.token, '{}', { 'content-type': 'application/json' });
  await post(OAUTH_PATHS.token, 'grant_type=refresh_token&grant_type=refresh_token');
  await token({ grant_type: 'password' });
  await token({ grant_type: 'refresh_token' });
  await token({ grant_type: 'authorization_code', code: 'x' });
  await token({ ...refresh('plat_rt_unknown') });

  // Secrets of apps.
  const wrong = { ...side.app, client_secret: 'plat_cs_wrong' };
  await post(OAUTH_PATHS.token, { ...refresh('x'), ...wrong });
  await post(OAUTH_PATHS.token, refresh('x'), { authorization: `Basic ${btoa('app:x')}` });
  await post(OAUTH_PATHS.token, { ...refresh('x'), ...side.app }, { authorization: `Basic ${btoa('app:x')}` });
  const basic = `Basic ${btoa(`${side.app['client_id']}:${side.app['client_secret']}`)}`;
  await post(OAUTH_PATHS.token, refresh('x'), { authorization: basic });

  // Codes.
  const first = await side.consent();
  await token({ ...first, redirect_uri: 'https://other.example' });
  await token({ ...first, code_verifier: 'x'.repeat(43) });
  await token({ ...first, code_verifier: 'short' });
  const pair = await token(first);
  await me(pair.access_token);
  await token(first);
  await me(pair.access_token);

  // Rotation, a narrower scope, a reused token.
  const second = await token(await side.consent());
  await post(OAUTH_PATHS.token, { ...refresh(second.refresh_token), ...side.otherApp });
  await token({ ...refresh(second.refresh_token), scope: 'users:read' });
  const third = await token({ ...refresh(second.refresh_token), scope: 'clients:read' });
  await me(third.access_token);
  await post(OAUTH_PATHS.introspect, { token: third.access_token, ...side.app });
  await post(OAUTH_PATHS.introspect, { token: third.access_token, ...wrong });
  await post(OAUTH_PATHS.introspect, side.app);
  await token(refresh(second.refresh_token));
  await token(refresh(third.refresh_token));
  await me(third.access_token);
  await post(OAUTH_PATHS.introspect, { token: third.access_token, ...side.app });

  // A refresh leaves the last access token alive and ends older ones, and begins the grant.
  const begun = await token(await side.consent());
  await me(begun.access_token);
  const pairs = [await token(await side.consent())];
  for (let times = 0; times < 3; times++) pairs.push(await token(refresh(pairs.at(-1).refresh_token)));
  await me(begun.access_token);
  for (const { access_token } of pairs) await me(access_token);
  await post(OAUTH_PATHS.introspect, { token: pairs[0].access_token, ...side.app });
  await post(OAUTH_PATHS.revoke, { token: pairs[0].access_token, ...side.app });
  await me(pairs.at(-1).access_token);

  // A new consent ends the former one at its first use; a revocation ends it at once.
  const former = await token(await side.consent());
  await me(former.access_token);
  const latter = await token(await side.consent());
  await me(former.access_token);
  await me(latter.access_token);
  await me(former.access_token);
  await note(await side.send('/v1/users', { headers: { authorization: `Bearer ${latter.access_token}` } }));
  await post(OAUTH_PATHS.revoke, { token: latter.refresh_token, ...side.app });
  await me(latter.access_token);
  await post(OAUTH_PATHS.revoke, { token: 'unknown', ...side.app });

  // Guesses of a secret are limited, and the right one still works.
  for (let guess = 0; guess <= LIMITS.appSecretFailures.max; guess++) {
    await post(OAUTH_PATHS.token, { ...refresh('x'), ...wrong });
  }
  await post(OAUTH_PATHS.introspect, { token: 'x', ...side.app });

  await me('unknown');
  await note(await side.send('/v1/me'));
  await note(await side.send(OAUTH_PATHS.metadata));
  await note(await side.send(OAUTH_PATHS.resourceMetadata));
  return seen;
}

/** Replaces what differs between the sides: ids, tokens, times and addresses. */
function shapeOf(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replace(/plat_(at|rt)_[\w-]+/g, 'plat_$1_…')
    .replace(/\b(app|tnt|usr)_[0-9a-z]{26}\b/g, '$1_…')
    .replace(/"exp":\d+/, '"exp":0')
    .replace(/wait \d+ s/g, 'wait … s')
    .replaceAll(platform.baseUrl, 'base')
    .replaceAll(mock.baseUrl, 'base');
  return JSON.parse(text);
}

test('the same requests to the OAuth endpoints get the same responses', async () => {
  const expected = await run(await real());
  const answered = await run(mocked());
  for (const [step, response] of expected.entries()) expect(answered[step], `step ${step}`).toEqual(response);
});
