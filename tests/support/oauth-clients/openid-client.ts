import * as client from 'openid-client';
import type { ClientTokens, OpenClient } from './client.ts';

/** @param authenticate client authentication method; `client_secret_post` by the library's default */
export function openidClient(authenticate?: (secret: string) => client.ClientAuth): OpenClient {
  return async ({ baseUrl, app, scopes }) => {
    const { appId, clientSecret, redirectUri } = app;
    const config = await client.discovery(new URL(baseUrl), appId, clientSecret, authenticate?.(clientSecret), {
      // For an authorization server that is no OpenID provider (RFC 8414).
      algorithm: 'oauth2',
      // For http on loopback.
      execute: [client.allowInsecureRequests],
    });
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    return {
      async begin() {
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: scopes.join(' '),
          state: expectedState,
          code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
          code_challenge_method: 'S256',
        });
        return url.href;
      },
      finish: async (callback) =>
        tokensOf(await client.authorizationCodeGrant(config, new URL(callback), { pkceCodeVerifier, expectedState })),
      me: async (accessToken) =>
        (await client.fetchProtectedResource(config, accessToken, new URL(`${baseUrl}/v1/me`), 'GET')).json(),
      refresh: async (refreshToken) => tokensOf(await client.refreshTokenGrant(config, refreshToken)),
      introspect: (accessToken) => client.tokenIntrospection(config, accessToken),
      revoke: ({ refreshToken }) => client.tokenRevocation(config, refreshToken),
      errorOf: (thrown) =>
        thrown instanceof client.ResponseBodyError || thrown instanceof client.AuthorizationResponseError
          ? thrown.error
          : undefined,
    };
  };
}

function tokensOf({ access_token, refresh_token = '' }: client.TokenEndpointResponse): ClientTokens {
  return { accessToken: access_token, refreshToken: refresh_token };
}
