import type { Scope, TokenResponse } from '@plat/contract';
import { addExchange } from '../auth/grant-exchanges.ts';
import { parseScopes } from '../auth/scopes.ts';
import { openChange } from '../change.ts';
import { execute, selectOne } from '../db/sql.ts';
import type { OAuthAccessTokenRow } from '../db/tables/oauth-access-tokens.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { hashToken } from '../kernel/tokens.ts';
import { endFamily, endOtherGrants } from './end-family.ts';
import { type FoundGrant, findRefreshToken, isHashOf, isRefreshable } from './find-refresh-token.ts';
import { readScope } from './scopes.ts';
import { refuseTenant } from './tenant-rules.ts';
import { alreadyUsed, currentKeys, invalidGrant, type TokenCall } from './token-call.ts';
import { newTokens, storeAccessToken, type TokenPair, tokenResponse, tokensAfter } from './tokens.ts';

interface RefreshForm {
  readonly refresh_token: string;
  readonly scope?: string;
}

/**
 * Exchanges a refresh token for the next pair. Of concurrent exchanges one succeeds. A token that was exchanged before
 * ends its family, access tokens included. Within the grace period, if the operator allows one, it gets the same
 * response again. The reuse of a token ends the family of a suspended tenant too.
 * @throws {@link ApiError} INVALID_GRANT, INVALID_SCOPE, TENANT_SUSPENDED, APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT
 */
export async function refresh(call: TokenCall, form: RefreshForm): Promise<TokenResponse> {
  const found = await findUsable(call, form);
  if (found.presented === found.generation) {
    refuseTenant(call.app, found);
    const granted = parseScopes(found.scopes);
    const scopes = form.scope === undefined ? granted : readScope(form.scope, granted, 'those of the consent');
    const tokens = await rotate(call, found, form.refresh_token, scopes);
    if (tokens) return tokenResponse(tokens, scopes);
  }
  const again = call.graceMs > 0 ? await repeatAnswer(call, form) : undefined;
  if (again) return again;
  await endFamily(call.db, { ...call, grant: found, reason: 'refresh_token_reused' });
  throw alreadyUsed('refresh token');
}

async function findUsable(
  { db, app, now, keys, found: note }: TokenCall,
  { refresh_token }: RefreshForm,
): Promise<FoundGrant> {
  const macKeys = keys.map(({ mac }) => mac);
  const found = await findRefreshToken(db, refresh_token, macKeys);
  if (found?.app_id === app.id) note(found.id);
  if (found?.app_id !== app.id || !isRefreshable(found, now)) throw invalidGrant('refresh token');
  return found;
}

/** Resolves to undefined if another exchange came first, or the family has ended. */
function rotate(
  { db, now, graceMs, keys, actor }: TokenCall,
  found: FoundGrant,
  presented: string,
  scopes: readonly Scope[],
): Promise<TokenPair | undefined> {
  const { id, tenant_id: tenantId, generation } = found;
  const next = { grantId: id, generation: generation + 1 };
  const current = currentKeys(keys);
  const tokens = graceMs > 0 ? tokensAfter(presented, next, current) : newTokens(next, current.mac);
  return unitOfWork(db, async (transaction) => {
    const moved = await execute(
      db,
      `UPDATE oauth_grants SET generation = generation + 1, begun = 1,
         previous_refresh_hash = refresh_hash, refresh_hash = :refresh,
         previous_access_hash = access_hash, access_hash = :access, refreshed_at = :now, exchanges = :exchanges,
         updated_at = :now
       WHERE id = :id AND generation = :generation AND status = 'active'`,
      {
        id,
        generation,
        refresh: hashToken(tokens.refresh),
        access: hashToken(tokens.access),
        exchanges: addExchange(found.exchanges, {
          generation: next.generation,
          at: now,
          requestId: actor.requestId,
          ip: actor.ip,
        }),
        now,
      },
      transaction,
    );
    if (moved === 0) return undefined;
    const replaces = found.previous_access_hash;
    await storeAccessToken(db, transaction, tokens.access, { grantId: id, scopes, now, replaces });
    if (found.begun === 0) {
      await endOtherGrants(openChange({ db, tenantId, now }, transaction, actor), found, 'exchanged', 'replaced');
    }
    return tokens;
  });
}

/**
 * Derives again the response that this token got within the grace period, for an app that lost it. Resolves to
 * undefined after the grace period, or if a later token was already exchanged.
 */
async function repeatAnswer(call: TokenCall, form: RefreshForm): Promise<TokenResponse | undefined> {
  const { now, graceMs, keys } = call;
  // Reads the grant again: a concurrent exchange may have changed it.
  const found = await findUsable(call, form);
  if (found.refreshed_at === null || now - found.refreshed_at > graceMs) return undefined;
  const current = { grantId: found.id, generation: found.generation };
  const tokens = keys
    .map((key) => tokensAfter(form.refresh_token, current, key))
    .find(({ access, refresh: next }) => isHashOf(next, found.refresh_hash) && isHashOf(access, found.access_hash));
  const issued = tokens && (await findIssued(call, tokens));
  if (issued) refuseTenant(call.app, found);
  return issued && tokenResponse(tokens, parseScopes(issued.scopes), secondsUntil(issued.expires_at, now));
}

function findIssued(
  { db }: TokenCall,
  { access }: TokenPair,
): Promise<Pick<OAuthAccessTokenRow, 'scopes' | 'expires_at'> | undefined> {
  const sql = 'SELECT scopes, expires_at FROM oauth_access_tokens WHERE token_hash = :hash';
  return selectOne(db, sql, { hash: hashToken(access) });
}

function secondsUntil(instant: number, now: number): number {
  return Math.max(0, Math.floor((instant - now) / 1000));
}
