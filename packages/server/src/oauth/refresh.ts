import type { Scope, TokenResponse } from '@plat/contract';
import { parseScopes } from '../auth/scopes.ts';
import type { Database } from '../db/database.ts';
import type { OAuthAccessTokenRow } from '../db/models/oauth-access-token.model.ts';
import type { OAuthGrantRow } from '../db/models/oauth-grant.model.ts';
import type { TenantRow } from '../db/models/tenant.model.ts';
import { execute, selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { endFamily } from './end-family.ts';
import { readScope } from './scopes.ts';
import { refuseTenant } from './tenant-rules.ts';
import { invalidGrant, type TokenCall, usedBefore } from './token-call.ts';
import { newTokens, storeTokens, type TokenPair, tokenResponse, tokensAfter } from './tokens.ts';

interface RefreshForm {
  readonly refresh_token: string;
  readonly scope?: string;
}

interface FoundToken
  extends Pick<OAuthGrantRow, 'id' | 'tenant_id' | 'app_id' | 'scopes' | 'status' | 'generation' | 'refreshed_at'>,
    Pick<TenantRow, 'sandbox'> {
  /** Of the token; it is dead when the grant's is higher. */
  readonly presented: number;
  readonly expires_at: number;
  readonly family_expires_at: number;
  readonly tenant_status: TenantRow['status'];
}

/**
 * Exchanges a refresh token for the next pair, once, whoever else tries at the same time. One that was exchanged before
 * ends its family, access tokens included; within the grace that an operator may allow it gets the same answer again.
 * @throws {@link ApiError} INVALID_GRANT, INVALID_SCOPE, TENANT_SUSPENDED, APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT
 */
export async function refresh(call: TokenCall, form: RefreshForm): Promise<TokenResponse> {
  const found = await findUsable(call, form);
  refuseTenant(call.app, found);
  if (found.presented === found.generation) {
    const granted = parseScopes(found.scopes);
    const scopes = form.scope === undefined ? granted : readScope(form.scope, granted, 'those of the consent');
    const tokens = await rotate(call, found, form.refresh_token, scopes);
    if (tokens) return tokenResponse(tokens, scopes);
  }
  const again = call.grace.ms > 0 ? await repeatAnswer(call, form) : undefined;
  if (again) return again;
  await endFamily(call.db, { ...call, grant: found, reason: 'refresh_token_reused' });
  throw usedBefore('refresh token');
}

async function findUsable({ db, app, now }: TokenCall, { refresh_token }: RefreshForm): Promise<FoundToken> {
  const found = await findRefreshToken(db, refresh_token);
  const isUsable =
    found?.app_id === app.id && found.status === 'active' && found.expires_at > now && found.family_expires_at > now;
  if (!isUsable) throw invalidGrant('refresh token');
  return found;
}

async function findRefreshToken(db: Database, token: string): Promise<FoundToken | undefined> {
  if (!isWellFormedToken('plat_rt_', token)) return undefined;
  return selectOne<FoundToken>(
    db,
    `SELECT r.generation AS presented, r.expires_at, g.id, g.tenant_id, g.app_id, g.scopes, g.status, g.generation,
       g.refreshed_at, g.expires_at AS family_expires_at, t.status AS tenant_status, t.sandbox
     FROM oauth_refresh_tokens r JOIN oauth_grants g ON g.id = r.grant_id JOIN tenants t ON t.id = g.tenant_id
     WHERE r.token_hash = :hash`,
    { hash: hashToken(token) },
  );
}

/** undefined: somebody else was faster, or the family has ended. */
function rotate(
  { db, now, grace }: TokenCall,
  { id, generation }: FoundToken,
  presented: string,
  scopes: readonly Scope[],
): Promise<TokenPair | undefined> {
  const [key] = grace.keys;
  const tokens = grace.ms > 0 && key ? tokensAfter(presented, key) : newTokens();
  return unitOfWork(db, async (transaction) => {
    const moved = await execute(
      db,
      `UPDATE oauth_grants SET generation = generation + 1, refreshed_at = :now, updated_at = :now
       WHERE id = :id AND generation = :generation AND status = 'active'`,
      { id, generation, now },
      transaction,
    );
    if (moved === 0) return undefined;
    await storeTokens(db, transaction, tokens, { grantId: id, generation: generation + 1, scopes, now });
    return tokens;
  });
}

/**
 * The answer that this token got a moment ago, made of the token again: a process that died before it could write the
 * answer down asks once more. undefined when it is too late, or a later one was exchanged already.
 */
async function repeatAnswer(call: TokenCall, form: RefreshForm): Promise<TokenResponse | undefined> {
  const { db, now, grace } = call;
  // Anew: of several at once, one has just moved the grant on.
  const found = await findUsable(call, form);
  if (found.refreshed_at === null || now - found.refreshed_at > grace.ms) return undefined;
  for (const key of grace.keys) {
    const tokens = tokensAfter(form.refresh_token, key);
    const issued = await findIssued(db, tokens, found);
    if (issued) return tokenResponse(tokens, parseScopes(issued.scopes), secondsUntil(issued.expires_at, now));
  }
  return undefined;
}

/** The pair as it was stored; undefined when these are not the tokens that were given, or not the last ones. */
function findIssued(
  db: Database,
  { access, refresh: next }: TokenPair,
  { id, generation }: FoundToken,
): Promise<Pick<OAuthAccessTokenRow, 'scopes' | 'expires_at'> | undefined> {
  return selectOne(
    db,
    `SELECT a.scopes, a.expires_at FROM oauth_refresh_tokens r JOIN oauth_access_tokens a ON a.token_hash = :access
     WHERE r.token_hash = :next AND r.grant_id = :id AND r.generation = :generation`,
    { access: hashToken(access), next: hashToken(next), id, generation },
  );
}

function secondsUntil(instant: number, now: number): number {
  return Math.max(0, Math.floor((instant - now) / 1000));
}
