import {
  CodeChallengeMethod,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
  OAuth2RequestError,
  type OAuth2Tokens,
} from 'arctic';
import { type ClientTokens, fetchMe, type OpenClient } from './client.ts';

/** Takes the endpoints as settings, and leaves callback and API calls to the app. */
export const arctic: OpenClient = (world) => {
  const { baseUrl, app, scopes } = world;
  const client = new OAuth2Client(app.appId, app.clientSecret, app.redirectUri);
  const token = `${baseUrl}/oauth/token`;
  const [state, verifier] = [generateState(), generateCodeVerifier()];
  return {
    async begin() {
      const { S256 } = CodeChallengeMethod;
      const authorize = `${baseUrl}/oauth/authorize`;
      return client.createAuthorizationURLWithPKCE(authorize, state, S256, verifier, [...scopes]).href;
    },
    async finish(callback) {
      const { searchParams } = new URL(callback);
      if (searchParams.get('state') !== state) throw new Error('not the state of this browser');
      return tokensOf(await client.validateAuthorizationCode(token, searchParams.get('code') ?? '', verifier));
    },
    me: (accessToken) => fetchMe(world, accessToken),
    refresh: async (refreshToken) => tokensOf(await client.refreshAccessToken(token, refreshToken, [])),
    revoke: ({ refreshToken }) => client.revokeToken(`${baseUrl}/oauth/revoke`, refreshToken),
    errorOf: (thrown) => (thrown instanceof OAuth2RequestError ? thrown.code : undefined),
  };
};

function tokensOf(tokens: OAuth2Tokens): ClientTokens {
  return { accessToken: tokens.accessToken(), refreshToken: tokens.refreshToken() };
}
