import { createSandboxKey, revokePreviousKey, revokeTenantKey } from '../accounts/api-keys.ts';
import { getDeveloper, getKey, getSandbox, listTokens, resetOwnSandbox, revokeToken } from './account.service.ts';
import { type DeveloperRoute, developerRoute } from './developer-route.ts';

/** Operations on the developer's account: the account, its tokens, its sandbox and the API key. */
export const accountRoutes: readonly DeveloperRoute[] = [
  developerRoute('me.get', { handle: (ctx) => getDeveloper(ctx) }),
  developerRoute('tokens.list', {
    handle: (ctx, { query }) => listTokens(ctx, query),
  }),
  developerRoute('tokens.revoke', {
    handle: (ctx, { path }) => revokeToken(ctx, path.token_id),
  }),

  developerRoute('sandbox.get', { handle: (ctx) => getSandbox(ctx) }),
  developerRoute('sandbox.reset', { holdsSandbox: true, handle: (ctx) => resetOwnSandbox(ctx) }),

  developerRoute('keys.get', { handle: (ctx) => getKey(ctx) }),
  developerRoute('keys.mint', {
    handle: (ctx, { body }) => createSandboxKey(ctx, body),
  }),
  developerRoute('keys.revoke', {
    handle: (ctx) => revokeTenantKey(ctx),
  }),
  developerRoute('keys.revoke_previous', {
    handle: async (ctx) => (await revokePreviousKey(ctx)).key,
  }),
];
