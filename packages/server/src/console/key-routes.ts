import { ALL_SCOPES, LIMITS, type Scope } from '@plat/contract';
import { createSandboxKey, findTenantKey, noKey, revokeTenantKey } from '../accounts/api-keys.ts';
import { refuseResubmission } from './forms.ts';
import { createdKeyPage, KEY_PATH, keyPage, revokeKeyPage } from './key-pages.ts';
import { postedOverlap } from './overlap-field.ts';
import type { PageRoute } from './page-route.ts';
import { postedScopes } from './scopes-field.ts';

/** Pages of the API key of the developer's sandbox. */
export const keyRoutes: readonly PageRoute<'developer'>[] = [
  {
    room: 'key',
    method: 'GET',
    path: KEY_PATH,
    async handle({ session, base, db, now, query }) {
      const key = await findTenantKey(db, session.tenantId, now);
      const chosen = PRESETS.get(query['tick'] ?? '') ?? key?.scopes ?? ALL_SCOPES;
      const seen = key?.id ?? '';
      return { page: keyPage({ session, base, key, chosen, seen, done: query['done'], problems: {} }) };
    },
  },
  {
    room: 'key',
    method: 'POST',
    path: KEY_PATH,
    async handle({ session, base, baseUrl, db, now, fields, change, keepSandboxKey }) {
      const chosen = postedScopes(fields);
      const seen = fields['seen'] ?? '';
      // Without a current key the form has no choice.
      const overlapSeconds = 'expires_in' in fields ? postedOverlap(fields, LIMITS.apiKeyOverlapSeconds) : 0;
      if (chosen.length === 0) {
        const key = await findTenantKey(db, session.tenantId, now);
        const problems = { scopes: 'Select at least one scope.' };
        return { status: 400, page: keyPage({ session, base, key, chosen, seen, done: undefined, problems }) };
      }
      const key = await change(async (open) => {
        const present = await findTenantKey(open.db, open.tenantId, open.now, open.transaction);
        refuseResubmission(seen, present?.id ?? '');
        return createSandboxKey(open, { scopes: chosen, expires_in: overlapSeconds });
      });
      // Not a redirect: the server would have to store the key until the next request.
      return { status: 201, page: createdKeyPage({ base, baseUrl, key, savedTo: await keepSandboxKey(key) }) };
    },
  },
  {
    room: 'key',
    method: 'GET',
    path: `${KEY_PATH}/revoke`,
    async handle({ session, base, db, now }) {
      const key = await findTenantKey(db, session.tenantId, now);
      if (!key) throw noKey();
      return { page: revokeKeyPage({ session, base, key }) };
    },
  },
  {
    room: 'key',
    method: 'POST',
    path: `${KEY_PATH}/revoke`,
    async handle({ fields, change }) {
      await change(async (open) => {
        const present = await findTenantKey(open.db, open.tenantId, open.now, open.transaction);
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
