import {
  generateCodeVerifier,
  OAuth2Client,
  OAuth2Error,
  OAuth2Fetch,
  type OAuth2Token,
} from '@badgateway/oauth2-client';
import type { ClientTokens, OpenClient } from './client.ts';

/** Finds the endpoints by discovery and uses the first offered authentication method. */
export const badgateway: OpenClient = async ({ baseUrl, app, scopes }) => {
  const { appId: clientId, clientSecret, redirectUri } = app;
  const client = new OAuth2Client({ server: baseUrl, clientId, clientSecret });
  const codeVerifier = await generateCodeVerifier();
  const state = 'of this browser';
  const tokenOf = ({ accessToken, refreshToken }: ClientTokens): OAuth2Token => ({
    accessToken,
    refreshToken,
    expiresAt: null,
  });
  return {
    begin: () => client.authorizationCode.getAuthorizeUri({ redirectUri, state, codeVerifier, scope: [...scopes] }),
    finish: async (callback) =>
      tokensOf(await client.authorizationCode.getTokenFromCodeRedirect(callback, { redirectUri, state, codeVerifier })),
    async me(accessToken) {
      const api = new OAuth2Fetch({ client, getNewToken: () => tokenOf({ accessToken, refreshToken: '' }) });
      return (await api.fetch(`${baseUrl}/v1/me`)).json();
    },
    refresh: async (refreshToken) => tokensOf(await client.refreshToken(tokenOf({ accessToken: '', refreshToken }))),
    introspect: (accessToken) => client.introspect(tokenOf({ accessToken, refreshToken: '' })),
    revoke: (tokens) => client.revoke(tokenOf(tokens), 'refresh_token'),
    errorOf: (thrown) => (thrown instanceof OAuth2Error ? thrown.oauth2Code : undefined),
  };
};

function tokensOf({ accessToken, refreshToken }: OAuth2Token): ClientTokens {
  return { accessToken, refreshToken: refreshToken ?? '' };
}
