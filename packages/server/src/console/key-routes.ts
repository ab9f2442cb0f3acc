import { ALL_SCOPES, type ApiKey, LIMITS, type Scope } from '@plat/contract';
import { createTenantKey, findTenantKey, noKey, revokePreviousKey, revokeTenantKey } from '../accounts/api-keys.ts';
import { CREDENTIAL_FIELD, CREDENTIAL_PATH, credentialPage } from './credential-pages.ts';
import { refuseResubmission } from './forms.ts';
import {
  createdKeyPage,
  KEY_PATH,
  type KeyForm,
  keyPage,
  PREVIOUS_PATH,
  revokeKeyPage,
  revokePreviousKeyPage,
} from './key-pages.ts';
import { lastUse } from './last-use.ts';
import type { SignedInPage } from './layout.ts';
import { postedOverlap } from './overlap-field.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { postedScopes } from './scopes-field.ts';

/** Pages of the API key of the tenant: its scopes, its replacement and its revocation. */
export const keyRoutes: readonly PageRoute[] = [
  {
    room: 'key',
    method: 'GET',
    path: KEY_PATH,
    async handle(call) {
      const { session, db, now, query } = call;
      const key = await findTenantKey(db, session.tenantId, now);
      const chosen = PRESETS.get(query['tick'] ?? '') ?? key?.scopes ?? ALL_SCOPES;
      return { page: await shown(call, key, { chosen, seen: key?.id ?? '', done: query['done'], problems: {} }) };
    },
  },
  {
    room: 'key',
    method: 'POST',
    path: KEY_PATH,
    async handle(call) {
      const { session, baseUrl, db, now, fields, change, keepSandboxKey } = call;
      const chosen = postedScopes(fields);
      const seen = fields['seen'] ?? '';
      // Without a current key the form has no choice.
      const overlapSeconds = 'expires_in' in fields ? postedOverlap(fields, LIMITS.apiKeyOverlapSeconds) : 0;
      if (chosen.length === 0) {
        const key = await findTenantKey(db, session.tenantId, now);
        const problems = { scopes: 'Select at least one scope.' };
        return { status: 400, page: await shown(call, key, { chosen, seen, done: undefined, problems }) };
      }
      const key = await change(async (open) => {
        const present = await findTenantKey(open.db, open.tenantId, open.now, open.transaction);
        refuseResubmission(seen, present?.id ?? '');
        const owner = { sandbox: session.sandbox, userId: call.ctx.credential.userId };
        return createTenantKey(open, owner, { scopes: chosen, expires_in: overlapSeconds });
      });
      // Not a redirect: the server would have to store the key until the next request.
      return { status: 201, page: createdKeyPage(call, { baseUrl, key, savedTo: await keepSandboxKey(key) }) };
    },
  },
  {
    room: 'key',
    method: 'GET',
    path: CREDENTIAL_PATH,
    async handle(call) {
      return { page: await credentialPage(call, null) };
    },
  },
  {
    room: 'key',
    method: 'POST',
    path: CREDENTIAL_PATH,
    async handle(call) {
      const text = (call.fields[CREDENTIAL_FIELD] ?? '').trim();
      return { page: await credentialPage(call, await call.explain(text)) };
    },
  },
  {
    room: 'key',
    method: 'GET',
    path: `${KEY_PATH}/revoke`,
    async handle(call) {
      const key = await findTenantKey(call.db, call.session.tenantId, call.now);
      if (!key) throw noKey();
      return { page: revokeKeyPage(call, key) };
    },
  },
  {
    room: 'key',
    method: 'POST',
    path: `${KEY_PATH}/revoke`,
    async handle({ prefix, fields, change }) {
      await change(async (open) => {
        const present = await findTenantKey(open.db, open.tenantId, open.now, open.transaction);
        // Revokes the confirmed key only, not one that replaced it meanwhile.
        if (present?.id !== fields['key_id']) throw noKey();
        await revokeTenantKey(open);
      });
      return { goTo: `${prefix}${KEY_PATH}?done=revoked` };
    },
  },
  {
    room: 'key',
    method: 'GET',
    path: PREVIOUS_PATH,
    async handle(call) {
      const key = await findTenantKey(call.db, call.session.tenantId, call.now);
      // Expired or revoked meanwhile: the page of the key shows it.
      if (!key?.previous_key) return { goTo: call.prefix + KEY_PATH };
      return { page: revokePreviousKeyPage(call, key, key.previous_key) };
    },
  },
  {
    room: 'key',
    method: 'POST',
    path: PREVIOUS_PATH,
    async handle({ prefix, fields, change }) {
      const { key } = await change((open) => revokePreviousKey(open, fields['key_id']));
      // A replacement since the confirmation has ended the confirmed key. The page shows the other one.
      return { goTo: `${prefix}${KEY_PATH}${key.previous_key === null ? '?done=previous-revoked' : ''}` };
    },
  },
];

/** The page of the key with its latest logged request. */
async function shown(call: PageCall, key: ApiKey | null, form: KeyForm): Promise<SignedInPage> {
  return keyPage(call, { ...form, key, latest: key && (await lastUse(call, key.id)) });
}

const PRESETS: ReadonlyMap<string, readonly Scope[]> = new Map([
  ['all', ALL_SCOPES],
  ['read', ALL_SCOPES.filter((scope) => scope.endsWith(':read'))],
  ['none', []],
]);
