import type { KeyObject } from 'node:crypto';
import { LIMITS, type RevokedReason, type Scope } from '@plat/contract';
import { mayActFor } from '../auth/access-tokens.ts';
import { findApiKey } from '../auth/api-keys.ts';
import { parseScopes } from '../auth/scopes.ts';
import type { Database } from '../db/database.ts';
import type { OAuthAppRow } from '../db/tables/oauth-apps.ts';
import type { OAuthGrantRow } from '../db/tables/oauth-grants.ts';
import type { TenantRow } from '../db/tables/tenants.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { findRefreshToken } from './find-refresh-token.ts';
import { readRefreshToken } from './refresh-token.ts';

/** The state of a credential. All but `valid` are refused. */
export type CredentialState =
  | 'valid'
  | 'malformed'
  | 'unknown'
  | 'expired'
  | 'used'
  | 'revoked'
  | 'app_disabled'
  | 'app_not_verified'
  | 'tenant_suspended';

/** A credential in words, without its text. */
export interface ExplainedCredential {
  readonly kind: 'API key' | 'access token' | 'refresh token' | null;
  readonly state: CredentialState;
  /** Null if nothing is recorded, or the account may not see it. */
  readonly record: {
    /** Id of the key or of the consent. */
    readonly id: string;
    readonly tenantId: string;
    /** Null for an API key. */
    readonly appId: string | null;
    readonly scopes: readonly Scope[];
    /** In ms; null for a key that does not expire. */
    readonly expiresAt: number | null;
    /** Reason and time in ms of the end of the consent. */
    readonly revoked: { readonly reason: RevokedReason; readonly at: number } | null;
  } | null;
}

interface Asking {
  readonly db: Database;
  readonly now: number;
  readonly macKeys: readonly KeyObject[];
  readonly tenantId: string;
  /** Null for a user of a tenant. */
  readonly developerId: string | null;
}

/**
 * Explains the state of a presented credential to the owners of its tenant and the developer of its app. For others it
 * is unknown.
 */
export async function explainCredential(asking: Asking, text: string): Promise<ExplainedCredential> {
  if (/^plat_(?:live|test)_/.test(text)) {
    const isWellFormed = isWellFormedToken('plat_live_', text) || isWellFormedToken('plat_test_', text);
    return isWellFormed ? explainKey(asking, text) : { kind: 'API key', state: 'malformed', record: null };
  }
  if (text.startsWith('plat_at_')) {
    const isWellFormed = isWellFormedToken('plat_at_', text);
    return isWellFormed ? explainAccess(asking, text) : { kind: 'access token', state: 'malformed', record: null };
  }
  if (text.startsWith('plat_rt_')) {
    const isWellFormed = readRefreshToken(text) !== undefined || isWellFormedToken('plat_rt_', text);
    return isWellFormed ? explainRefresh(asking, text) : { kind: 'refresh token', state: 'malformed', record: null };
  }
  return { kind: null, state: 'malformed', record: null };
}

async function explainKey({ db, now, tenantId }: Asking, text: string): Promise<ExplainedCredential> {
  const kind = 'API key';
  const live = await findApiKey(db, text, now);
  const previous = await db.models.previousApiKey.findOne({ where: { key_hash: hashToken(text) }, raw: true });
  const expiresAt = previous?.expires_at ?? null;
  const none = { appId: null, expiresAt, revoked: null };
  if (live?.type === 'api_key' && live.tenantId === tenantId) {
    const state = live.tenantStatus === 'active' ? 'valid' : 'tenant_suspended';
    return { kind, state, record: { ...none, id: live.id, tenantId, scopes: live.scopes } };
  }
  if (previous?.tenant_id !== tenantId) return { kind, state: 'unknown', record: null };
  return {
    kind,
    state: 'expired',
    record: { ...none, id: previous.id, tenantId, scopes: parseScopes(previous.scopes) },
  };
}

async function explainAccess(asking: Asking, text: string): Promise<ExplainedCredential> {
  const where = { token_hash: hashToken(text) };
  const token = await asking.db.models.oauthAccessToken.findOne({ where, raw: true });
  const grant = token && (await grantOf(asking, token.grant_id));
  if (!grant) return { kind: 'access token', state: 'unknown', record: null };
  const { scopes, expires_at: expiresAt } = token;
  const state = stateOf(grant, expiresAt <= asking.now ? 'expired' : 'valid');
  return { kind: 'access token', state, record: recordOf(grant, scopes, expiresAt) };
}

async function explainRefresh(asking: Asking, text: string): Promise<ExplainedCredential> {
  const found = await findRefreshToken(asking.db, text, asking.macKeys);
  const grant = found && (await grantOf(asking, found.id));
  if (!grant) return { kind: 'refresh token', state: 'unknown', record: null };
  const idleEnd = (found.refreshed_at ?? 0) + LIMITS.refreshTokenSeconds * 1000;
  const expiresAt = Math.min(found.expires_at, idleEnd);
  const own = found.presented < found.generation ? 'used' : expiresAt <= asking.now ? 'expired' : 'valid';
  return { kind: 'refresh token', state: stateOf(grant, own), record: recordOf(grant, found.scopes, expiresAt) };
}

interface Grant {
  readonly grant: OAuthGrantRow;
  readonly tenant: TenantRow;
  /** Null after its deletion: its tenants still see their consents. */
  readonly app: OAuthAppRow | null;
}

async function grantOf({ db, tenantId, developerId }: Asking, grantId: string): Promise<Grant | null> {
  const { oauthGrant, oauthApp, tenant: tenants } = db.models;
  const grant = await oauthGrant.findByPk(grantId, { raw: true });
  if (!grant) return null;
  const app = await oauthApp.findByPk(grant.app_id, { raw: true });
  const isDeveloper = developerId !== null && app?.developer_id === developerId;
  const tenant = await tenants.findByPk(grant.tenant_id, { raw: true });
  return tenant && (grant.tenant_id === tenantId || isDeveloper) ? { grant, tenant, app } : null;
}

/** Returns the state that the request of the credential meets first. */
function stateOf({ grant, tenant, app }: Grant, own: 'valid' | 'expired' | 'used'): CredentialState {
  if (grant.status !== 'active') return 'revoked';
  if (own !== 'valid') return own;
  if (app === null || app.disabled_by !== null) return 'app_disabled';
  if (!mayActFor(app, tenant)) return 'app_not_verified';
  return tenant.status === 'active' ? 'valid' : 'tenant_suspended';
}

function recordOf({ grant }: Grant, scopes: string, expiresAt: number): ExplainedCredential['record'] {
  const { id, tenant_id: tenantId, app_id: appId, revoked_reason: reason, expires_at: at } = grant;
  const revoked = reason === null ? null : { reason, at };
  return { id, tenantId, appId, scopes: parseScopes(scopes), expiresAt: revoked ? null : expiresAt, revoked };
}
