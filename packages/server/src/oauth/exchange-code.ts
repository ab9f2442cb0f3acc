import { LIMITS, type TokenResponse } from '@plat/contract';
import { addExchange } from '../auth/grant-exchanges.ts';
import { parseScopes } from '../auth/scopes.ts';
import { openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { execute, selectOne } from '../db/sql.ts';
import { qualified } from '../db/statements.ts';
import type { OAuthAppRow } from '../db/tables/oauth-apps.ts';
import type { OAuthGrantRow } from '../db/tables/oauth-grants.ts';
import type { TenantRow } from '../db/tables/tenants.ts';
import type { UserRow } from '../db/tables/users.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { parseUris } from './apps.present.ts';
import { endFamily, endOtherGrants } from './end-family.ts';
import { verifierMatches } from './pkce.ts';
import { refuseTenant } from './tenant-rules.ts';
import { alreadyUsed, currentKeys, invalidGrant, type TokenCall } from './token-call.ts';
import { newTokens, storeAccessToken, type TokenPair, tokenResponse } from './tokens.ts';

interface CodeForm {
  readonly code: string;
  readonly redirect_uri: string;
  readonly code_verifier: string;
}

const OF_GRANT = [
  ...(['redirect_uri', 'code_challenge', 'id', 'tenant_id', 'app_id', 'scopes'] as const),
  ...(['status', 'generation', 'created_at'] as const),
];

interface FoundCode extends Pick<OAuthGrantRow, (typeof OF_GRANT)[number]>, Pick<TenantRow, 'sandbox'> {
  readonly tenant_status: TenantRow['status'];
  readonly redirect_uris: OAuthAppRow['redirect_uris'];
  /** Role of the user who consented; null if that user no longer exists. */
  readonly role: UserRow['role'] | null;
  readonly user_status: UserRow['status'] | null;
}

/**
 * Exchanges an authorization code for the first tokens of its family. Of concurrent exchanges one succeeds. A request
 * that is refused before the exchange does not consume the code.
 * @throws {@link ApiError} INVALID_GRANT, INVALID_REDIRECT_URI, INVALID_PKCE, TENANT_SUSPENDED,
 * APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT
 */
export async function exchangeCode(call: TokenCall, form: CodeForm): Promise<TokenResponse> {
  const code = await findCode(call.db, form.code);
  if (code?.app_id === call.app.id) call.found(code.id);
  if (!code || !isUsable(code, call)) throw invalidGrant('authorization code');
  refuseOtherRedirectUri(form, code);
  refuseOtherVerifier(form, code);
  // A second use ends the family of a suspended tenant too.
  if (code.generation === 0) refuseTenant(call.app, code);
  const tokens = await exchange(call, code);
  if (tokens) return tokenResponse(tokens, parseScopes(code.scopes));
  // A used code may be stolen, and with it the tokens (RFC 6749, section 4.1.2).
  await endFamily(call.db, { ...call, grant: code, reason: 'code_reused' });
  throw alreadyUsed('authorization code');
}

async function findCode(db: Database, code: string): Promise<FoundCode | undefined> {
  if (!isWellFormedToken('plat_ac_', code)) return undefined;
  return selectOne<FoundCode>(
    db,
    `SELECT ${qualified('g', OF_GRANT)}, t.status AS tenant_status, t.sandbox, p.redirect_uris,
       u.role, u.status AS user_status
     FROM oauth_grants g JOIN tenants t ON t.id = g.tenant_id JOIN oauth_apps p ON p.id = g.app_id
       LEFT JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.granted_by
     WHERE g.code_hash = :hash`,
    { hash: hashToken(code) },
  );
}

function isUsable(code: FoundCode, { app, now }: TokenCall): boolean {
  const { app_id, created_at, status, generation } = code;
  const isFresh = created_at + LIMITS.authorizationCodeSeconds * 1000 > now;
  // An exchanged code passes without an active owner: its second use ends the family.
  return app_id === app.id && isFresh && status === 'active' && (generation > 0 || isOwners(code));
}

/**
 * Returns true if the user who consented is still an active owner. Until the exchange a consent depends on the owner
 * who gave it; afterwards it belongs to the tenant.
 */
function isOwners({ role, user_status }: FoundCode): boolean {
  return role === 'owner' && user_status === 'active';
}

function refuseOtherRedirectUri({ redirect_uri }: CodeForm, code: FoundCode): void {
  if (redirect_uri !== code.redirect_uri) {
    throw new ApiError('INVALID_REDIRECT_URI', 'redirect_uri differs from that of the authorization request');
  }
  // The specification requires a registered URI here, too (Authentication 7). A second use ends the family all the same.
  if (code.generation > 0 || parseUris(code.redirect_uris).includes(redirect_uri)) return;
  throw new ApiError('INVALID_REDIRECT_URI', 'redirect_uri is no longer registered on the app');
}

function refuseOtherVerifier({ code_verifier }: CodeForm, code: FoundCode): void {
  if (code.code_challenge !== null && verifierMatches(code_verifier, code.code_challenge)) return;
  throw new ApiError('INVALID_PKCE', 'code_verifier does not hash to the code_challenge of the authorization');
}

/** Resolves to undefined if the code was used, or its owner deactivated, since it was read. */
function exchange(
  { db, now, keys, actor }: TokenCall,
  { id, app_id, tenant_id: tenantId, scopes, created_at }: FoundCode,
): Promise<TokenPair | undefined> {
  const tokens = newTokens({ grantId: id, generation: 1 }, currentKeys(keys).mac);
  return unitOfWork(db, async (transaction) => {
    const moved = await execute(
      db,
      `UPDATE oauth_grants SET generation = 1, refresh_hash = :refresh, access_hash = :access, refreshed_at = :now,
         exchanges = :exchanges, expires_at = :expiresAt, updated_at = :now
       WHERE id = :id AND generation = 0 AND status = 'active' AND EXISTS (
         SELECT 1 FROM users u WHERE u.tenant_id = oauth_grants.tenant_id AND u.id = oauth_grants.granted_by
           AND u.role = 'owner' AND u.status = 'active'
       )`,
      {
        id,
        refresh: hashToken(tokens.refresh),
        access: hashToken(tokens.access),
        now,
        exchanges: addExchange(null, { generation: 1, at: now, requestId: actor.requestId, ip: actor.ip }),
        expiresAt: created_at + LIMITS.grantSeconds * 1000,
      },
      transaction,
    );
    if (moved === 0) return undefined;
    const issue = { grantId: id, scopes: parseScopes(scopes), now, replaces: null };
    await storeAccessToken(db, transaction, tokens.access, issue);
    const change = openChange({ db, tenantId, now }, transaction, actor);
    await endOtherGrants(change, { id, app_id }, 'unused', 'replaced');
    return tokens;
  });
}
