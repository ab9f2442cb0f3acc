import { LIMITS, type TokenResponse } from '@plat/contract';
import { parseScopes } from '../auth/scopes.ts';
import type { Database } from '../db/database.ts';
import type { OAuthCodeRow } from '../db/models/oauth-code.model.ts';
import type { OAuthGrantRow } from '../db/models/oauth-grant.model.ts';
import type { TenantRow } from '../db/models/tenant.model.ts';
import { execute, selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { endFamily } from './end-family.ts';
import { verifierMatches } from './pkce.ts';
import { refuseTenant } from './tenant-rules.ts';
import { invalidGrant, type TokenCall, usedBefore } from './token-call.ts';
import { newTokens, storeTokens, type TokenPair, tokenResponse } from './tokens.ts';

interface CodeForm {
  readonly code: string;
  readonly redirect_uri: string;
  readonly code_verifier: string;
}

interface FoundCode
  extends Pick<OAuthCodeRow, 'redirect_uri' | 'code_challenge' | 'expires_at'>,
    Pick<OAuthGrantRow, 'id' | 'tenant_id' | 'app_id' | 'scopes' | 'status' | 'created_at'>,
    Pick<TenantRow, 'sandbox'> {
  readonly tenant_status: TenantRow['status'];
}

/**
 * Exchanges an authorization code for the first tokens of its family, once, whoever else tries at the same time. What
 * is refused on the way to the exchange consumes nothing.
 * @throws {@link ApiError} INVALID_GRANT, INVALID_REDIRECT_URI, INVALID_PKCE, TENANT_SUSPENDED,
 * APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT
 */
export async function exchangeCode(call: TokenCall, form: CodeForm): Promise<TokenResponse> {
  const code = await findCode(call.db, form.code);
  if (!code || !isUsable(code, call)) throw invalidGrant('authorization code');
  refuseOtherRedirectUri(form, code);
  refuseOtherVerifier(form, code);
  refuseTenant(call.app, code);
  const tokens = await exchange(call, code);
  if (tokens) return tokenResponse(tokens, parseScopes(code.scopes));
  // Whoever else has the code may have its tokens (RFC 6749, section 4.1.2).
  await endFamily(call.db, { ...call, grant: code, reason: 'code_reused' });
  throw usedBefore('authorization code');
}

async function findCode(db: Database, code: string): Promise<FoundCode | undefined> {
  if (!isWellFormedToken('plat_ac_', code)) return undefined;
  return selectOne<FoundCode>(
    db,
    `SELECT c.redirect_uri, c.code_challenge, c.expires_at, g.id, g.tenant_id, g.app_id, g.scopes, g.status, g.created_at,
       t.status AS tenant_status, t.sandbox
     FROM oauth_codes c JOIN oauth_grants g ON g.id = c.grant_id JOIN tenants t ON t.id = g.tenant_id
     WHERE c.code_hash = :hash`,
    { hash: hashToken(code) },
  );
}

function isUsable(code: FoundCode, { app, now }: TokenCall): boolean {
  return code.app_id === app.id && code.expires_at > now && code.status === 'active';
}

function refuseOtherRedirectUri({ redirect_uri }: CodeForm, code: FoundCode): void {
  if (redirect_uri === code.redirect_uri) return;
  throw new ApiError('INVALID_REDIRECT_URI', 'redirect_uri is not the one that the code was asked for with');
}

function refuseOtherVerifier({ code_verifier }: CodeForm, code: FoundCode): void {
  if (verifierMatches(code_verifier, code.code_challenge)) return;
  throw new ApiError('INVALID_PKCE', 'code_verifier does not hash to the code_challenge of the authorization');
}

/** undefined: the code is used. */
function exchange({ db, now }: TokenCall, { id, scopes, created_at }: FoundCode): Promise<TokenPair | undefined> {
  const tokens = newTokens();
  return unitOfWork(db, async (transaction) => {
    const moved = await execute(
      db,
      `UPDATE oauth_grants SET generation = 1, refreshed_at = :now, expires_at = :expiresAt, updated_at = :now
       WHERE id = :id AND generation = 0 AND status = 'active'`,
      { id, now, expiresAt: created_at + LIMITS.grantSeconds * 1000 },
      transaction,
    );
    if (moved === 0) return undefined;
    await storeTokens(db, transaction, tokens, { grantId: id, generation: 1, scopes: parseScopes(scopes), now });
    return tokens;
  });
}
