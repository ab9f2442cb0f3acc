import { OAUTH_PATHS } from '@plat/contract';
import { type RequestHandler, Router } from 'express';
import { readForm } from '../http/form.ts';
import { limitAddress } from '../http/limit-address.ts';
import { appAuthenticator } from './authenticate-app.ts';
import { introspectEndpoint } from './introspect-endpoint.ts';
import type { OAuthServices } from './oauth-services.ts';
import { allowOnly, answerRefusal, noStore } from './refusals.ts';
import { revokeEndpoint } from './revoke-endpoint.ts';
import { tokenEndpoint } from './token-endpoint.ts';

/** Mounts the endpoints that the servers of apps call, each with a form and the app's secret. */
export function oauthRoutes(services: OAuthServices): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const authenticatorOf = appAuthenticator(services);
  const endpoints: readonly [path: string, endpoint: RequestHandler][] = [
    [OAUTH_PATHS.token, tokenEndpoint(services, authenticatorOf('token'))],
    [OAUTH_PATHS.introspect, introspectEndpoint(services, authenticatorOf('introspect'))],
    [OAUTH_PATHS.revoke, revokeEndpoint(services, authenticatorOf('revoke'))],
  ];
  const limited = limitAddress(services.rateLimit.byAddress('oauth'));
  for (const [path, endpoint] of endpoints) {
    router.use(path, noStore, limited);
    router.post(path, readForm, endpoint);
    router.all(path, allowOnly('POST'));
    router.use(path, answerRefusal);
  }
  return router;
}
