import { mintSandboxKey, revokeTenantKey } from '../accounts/api-keys.ts';
import {
  anyList,
  apiKey,
  apiKeyWithSecret,
  deletedKey,
  deletedToken,
  developer,
  developerToken,
  keyMint,
  sandbox,
} from './account.schemas.ts';
import { getDeveloper, getKey, getSandbox, listTokens, resetOwnSandbox, revokeToken } from './account.service.ts';
import { type DeveloperRoute, developerRoute } from './developer-route.ts';

/** Who is logged in and where, the sandbox and its key. */
export const accountRoutes: readonly DeveloperRoute[] = [
  developerRoute('me.get', { response: developer, handle: (ctx) => getDeveloper(ctx) }),
  developerRoute('tokens.list', {
    query: anyList,
    response: developerToken,
    handle: (ctx, { query }) => listTokens(ctx, query),
  }),
  developerRoute('tokens.revoke', {
    response: deletedToken,
    errors: ['DEVELOPER_TOKEN_NOT_FOUND'],
    handle: (ctx, { path }) => revokeToken(ctx, path.token_id),
  }),

  developerRoute('sandbox.get', { response: sandbox, handle: (ctx) => getSandbox(ctx) }),
  developerRoute('sandbox.reset', { response: sandbox, handle: (ctx) => resetOwnSandbox(ctx) }),

  developerRoute('keys.get', { response: apiKey, errors: ['API_KEY_NOT_FOUND'], handle: (ctx) => getKey(ctx) }),
  developerRoute('keys.mint', {
    body: keyMint,
    response: apiKeyWithSecret,
    handle: (ctx, { body }) => mintSandboxKey(ctx, body.scopes),
  }),
  developerRoute('keys.revoke', {
    response: deletedKey,
    errors: ['API_KEY_NOT_FOUND'],
    handle: (ctx) => revokeTenantKey(ctx),
  }),
];
