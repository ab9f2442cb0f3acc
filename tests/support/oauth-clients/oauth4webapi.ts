import * as oauth from 'oauth4webapi';
import type { ClientTokens, OpenClient } from './client.ts';

export function oauth4webapi(authenticate: (secret: string) => oauth.ClientAuth): OpenClient {
  return async ({ baseUrl, app, scopes }) => {
    const issuer = new URL(baseUrl);
    // For http on loopback.
    const http = { [oauth.allowInsecureRequests]: true };
    // For an authorization server that is no OpenID provider (RFC 8414).
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...http });
    const as = await oauth.processDiscoveryResponse(issuer, found);
    const client = { client_id: app.appId };
    const auth = authenticate(app.clientSecret);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    return {
      async begin() {
        const url = new URL(as.authorization_endpoint ?? '');
        url.search = new URLSearchParams({
          response_type: 'code',
          client_id: app.appId,
          redirect_uri: app.redirectUri,
          scope: scopes.join(' '),
          state,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }).toString();
        return url.href;
      },
      async finish(callback) {
        const parameters = oauth.validateAuthResponse(as, client, new URL(callback), state);
        const answer = await oauth.authorizationCodeGrantRequest(
          as,
          client,
          auth,
          parameters,
          app.redirectUri,
          verifier,
          http,
        );
        return tokensOf(await oauth.processAuthorizationCodeResponse(as, client, answer));
      },
      async me(accessToken) {
        const url = new URL(`${baseUrl}/v1/me`);
        return (await oauth.protectedResourceRequest(accessToken, 'GET', url, undefined, undefined, http)).json();
      },
      async refresh(refreshToken) {
        const answer = await oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, http);
        return tokensOf(await oauth.processRefreshTokenResponse(as, client, answer));
      },
      async introspect(accessToken) {
        const answer = await oauth.introspectionRequest(as, client, auth, accessToken, http);
        return oauth.processIntrospectionResponse(as, client, answer);
      },
      revoke: async ({ accessToken }) =>
        oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, accessToken, http)),
      errorOf: (thrown) =>
        thrown instanceof oauth.ResponseBodyError || thrown instanceof oauth.AuthorizationResponseError
          ? thrown.error
          : undefined,
    };
  };
}

function tokensOf({ access_token, refresh_token = '' }: oauth.TokenEndpointResponse): ClientTokens {
  return { accessToken: access_token, refreshToken: refresh_token };
}
