import { ALL_SCOPES, type Scope } from '@plat/contract';
import { createSandboxKey, findTenantKey, noKey, revokeTenantKey } from '../accounts/api-keys.ts';
import { refuseResubmission } from './forms.ts';
import { createdKeyPage, KEY_PATH, keyPage, revokeKeyPage } from './key-pages.ts';
import type { PageRoute } from './page-route.ts';
import { postedScopes } from './scopes-field.ts';

/** Pages of the API key of the developer's sandbox. */
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
        const problems = { scopes: 'Select at least one scope.' };
        return { status: 400, page: keyPage({ session, base, key, chosen, seen, done: undefined, problems }) };
      }
      const key = await change(async (open) => {
        const present = await findTenantKey(open.db, open.tenantId, open.transaction);
        refuseResubmission(seen, present?.id ?? '');
        return createSandboxKey(open, chosen);
      });
      // Not a redirect: the server would have to store the key until the next request.
      return { status: 201, page: createdKeyPage({ base, baseUrl, key, savedTo: await keepSandboxKey(key) }) };
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
        // Revokes the confirmed key only, not one that replaced it meanwhile.
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
