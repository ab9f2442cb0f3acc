import { ALL_SCOPES, type Scope } from '@plat/contract';
import { findTenantKey, mintSandboxKey, noKey, revokeTenantKey } from '../accounts/api-keys.ts';
import { refuseSentBefore } from './forms.ts';
import { KEY_PATH, keyPage, mintedPage, revokeKeyPage } from './key-pages.ts';
import type { PageRoute } from './page-route.ts';
import { postedScopes } from './scopes-field.ts';

/** The API key of the developer's sandbox. */
export const keyRoutes: readonly PageRoute<'developer'>[] = [
  {
    method: 'GET',
    path: KEY_PATH,
    async handle({ session, base, db, query }) {
      const key = await findTenantKey(db, session.tenantId);
      const chosen = PRESETS.get(query['tick'] ?? '') ?? key?.scopes ?? ALL_SCOPES;
      const seen = key?.id ?? '';
      return { page: keyPage({ session, base, key, chosen, seen, done: query['done'], problems: {} }) };
    },
  },
  {
    method: 'POST',
    path: KEY_PATH,
    async handle({ session, base, baseUrl, db, fields, change, keepSandboxKey }) {
      const chosen = postedScopes(fields);
      const seen = fields['seen'] ?? '';
      if (chosen.length === 0) {
        const key = await findTenantKey(db, session.tenantId);
        const problems = { scopes: 'Tick at least one scope: a key without any may do nothing.' };
        return { status: 400, page: keyPage({ session, base, key, chosen, seen, done: undefined, problems }) };
      }
      const key = await change(async (open) => {
        const present = await findTenantKey(open.db, open.tenantId, open.transaction);
        refuseSentBefore(seen, present?.id ?? '');
        return mintSandboxKey(open, chosen);
      });
      // Not a redirect: what is shown once would have to be kept until the next page asks for it.
      return { status: 201, page: mintedPage({ base, baseUrl, key, savedTo: await keepSandboxKey(key) }) };
    },
  },
  {
    method: 'GET',
    path: `${KEY_PATH}/revoke`,
    async handle({ session, base, db }) {
      const key = await findTenantKey(db, session.tenantId);
      if (!key) throw noKey();
      return { page: revokeKeyPage({ session, base, key }) };
    },
  },
  {
    method: 'POST',
    path: `${KEY_PATH}/revoke`,
    async handle({ fields, change }) {
      await change(async (open) => {
        const present = await findTenantKey(open.db, open.tenantId, open.transaction);
        // The one that was asked about, not one that took its place meanwhile.
        if (present?.id !== fields['key_id']) throw noKey();
        await revokeTenantKey(open);
      });
      return { goTo: `${KEY_PATH}?done=revoked` };
    },
  },
];

const PRESETS: ReadonlyMap<string, readonly Scope[]> = new Map([
  ['all', ALL_SCOPES],
  ['read', ALL_SCOPES.filter((scope) => scope.endsWith(':read'))],
  ['none', []],
]);
