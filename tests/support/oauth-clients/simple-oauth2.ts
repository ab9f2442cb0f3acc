import { createHash, randomBytes } from 'node:crypto';
import { type AccessToken, AuthorizationCode } from 'simple-oauth2';
import { type ClientTokens, fetchMe, type OpenClient } from './client.ts';

/**
 * Its default endpoints are ours. It has no PKCE and forwards the given parameters.
 * @param authorizationMethod client authentication; `header` by the library's default
 */
export function simpleOAuth2(authorizationMethod?: 'header' | 'body'): OpenClient {
  return (world) => {
    const { baseUrl, app, scopes } = world;
    const client = new AuthorizationCode({
      client: { id: app.appId, secret: app.clientSecret },
      auth: { tokenHost: baseUrl },
      ...(authorizationMethod ? { options: { authorizationMethod } } : {}),
    });
    const verifier = randomBytes(32).toString('base64url');
    const state = 'of this browser';
    return {
      begin: async () =>
        client.authorizeURL({
          redirect_uri: app.redirectUri,
          scope: [...scopes],
          state,
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          code_challenge_method: 'S256',
        }),
      async finish(callback) {
        const { searchParams } = new URL(callback);
        if (searchParams.get('state') !== state) throw new Error('not the state of this browser');
        const code = searchParams.get('code') ?? '';
        return tokensOf(await client.getToken({ code, redirect_uri: app.redirectUri, code_verifier: verifier }));
      },
      me: (accessToken) => fetchMe(world, accessToken),
      refresh: async (refreshToken) => tokensOf(await client.createToken({ refresh_token: refreshToken }).refresh()),
      revoke: ({ accessToken, refreshToken }) =>
        client.createToken({ access_token: accessToken, refresh_token: refreshToken }).revokeAll(),
      errorOf: (thrown) => {
        // It throws errors of @hapi/boom, which contain the body.
        const { isBoom, data } = thrown as { isBoom?: boolean; data?: { payload?: { error?: string } } };
        return isBoom ? data?.payload?.error : undefined;
      },
    };
  };
}

function tokensOf({ token }: AccessToken): ClientTokens {
  return { accessToken: token.access_token ?? '', refreshToken: token.refresh_token ?? '' };
}
