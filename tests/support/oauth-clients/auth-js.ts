import { Auth, type AuthConfig, skipCSRFCheck } from '@auth/core';
import { CallbackRouteError } from '@auth/core/errors';
import { ResponseBodyError } from 'oauth4webapi';
import { type ClientTokens, fetchMe, type OpenClient } from './client.ts';

/**
 * Auth.js as an app's server uses it: requests in, responses out. It has no refresh; its documentation gives a recipe
 * with fetch.
 */
export const authJs: OpenClient = (world) => {
  const { baseUrl, app, scopes } = world;
  const { origin } = new URL(app.redirectUri);
  let account: ClientTokens | undefined;
  let failure: unknown;
  const config: Omit<AuthConfig, 'raw'> = {
    providers: [
      {
        id: 'plat',
        name: 'Plat',
        type: 'oauth',
        issuer: baseUrl,
        clientId: app.appId,
        clientSecret: app.clientSecret,
        checks: ['pkce', 'state'],
        authorization: { url: `${baseUrl}/oauth/authorize`, params: { scope: scopes.join(' ') } },
        token: `${baseUrl}/oauth/token`,
        userinfo: `${baseUrl}/v1/me`,
        profile: (me: { readonly tenant_id: string }) => ({ id: me.tenant_id }),
      },
    ],
    secret: 'of this story',
    trustHost: true,
    basePath: '/auth',
    // For the POST that begins a sign-in. Frameworks with their own checks set it too.
    skipCSRFCheck,
    callbacks: {
      signIn({ account: given }) {
        account = { accessToken: given?.access_token ?? '', refreshToken: given?.refresh_token ?? '' };
        return true;
      },
    },
    logger: {
      error(error) {
        failure = error;
      },
    },
  };
  const cookies = new Map<string, string>();
  const send = async (request: Request): Promise<Response> => {
    request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    return Auth(request, config);
  };
  return {
    async begin() {
      const answer = await send(
        new Request(`${origin}/auth/signin/plat`, { method: 'POST', body: new URLSearchParams() }),
      );
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      return answer.headers.get('location') ?? '';
    },
    async finish(callback) {
      [account, failure] = [undefined, undefined];
      await send(new Request(callback));
      if (!account || failure) throw failure;
      return account;
    },
    me: (accessToken) => fetchMe(world, accessToken),
    errorOf(thrown) {
      const cause = thrown instanceof CallbackRouteError ? thrown.cause?.err : undefined;
      return cause instanceof ResponseBodyError ? cause.error : undefined;
    },
  };
};
