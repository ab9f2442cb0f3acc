import type { AppVerification, Scope } from '@plat/contract';
import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import { qualified } from '../db/statements.ts';
import type { OAuthAccessTokenRow } from '../db/tables/oauth-access-tokens.ts';
import type { OAuthAppRow } from '../db/tables/oauth-apps.ts';
import type { OAuthGrantRow } from '../db/tables/oauth-grants.ts';
import type { TenantRow } from '../db/tables/tenants.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { parseScopes } from './scopes.ts';

/** A valid access token. Its tenant may be suspended. */
export interface AccessToken {
  /** Id of the consent that the token belongs to. */
  readonly grantId: string;
  readonly appId: string;
  readonly tenantId: string;
  readonly tenantStatus: 'active' | 'suspended';
  readonly sandbox: boolean;
  readonly capturesBodies: boolean;
  /** Id of the user who consented. */
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Time of expiry, in ms. */
  readonly expiresAt: number;
  /** True if a token of its grant was used before: the first use ends the former grants. */
  readonly hasBegun: boolean;
}

const OF_TOKEN = ['scopes', 'expires_at', 'grant_id'] as const;
const OF_GRANT = ['tenant_id', 'app_id', 'granted_by', 'begun'] as const;

/** SQL: columns that a look-up reads from an access token `a`, its grant `g` and its tenant `t`. */
export const ACCESS_TOKEN_COLUMNS = `${qualified('a', OF_TOKEN)}, ${qualified('g', OF_GRANT)},
       g.status AS grant_status, t.status AS tenant_status, t.sandbox, t.captures_bodies`;

/** Row of an access token with all columns that decide its validity, including the verification of its app. */
export interface AccessTokenRow
  extends Pick<OAuthAccessTokenRow, (typeof OF_TOKEN)[number]>,
    Pick<OAuthGrantRow, (typeof OF_GRANT)[number]>,
    Pick<TenantRow, 'sandbox' | 'captures_bodies'>,
    Pick<OAuthAppRow, 'verification' | 'disabled_by'> {
  readonly grant_status: OAuthGrantRow['status'];
  readonly tenant_status: TenantRow['status'];
}

/**
 * Looks up a presented access token by its hash, in one query by primary keys. A revoked family, a lost verification or
 * a suspended tenant takes effect with the next request in every process.
 */
export async function findAccessToken(db: Database, token: string, now: number): Promise<AccessToken | null> {
  if (!isWellFormedToken('plat_at_', token)) return null;
  const row = await selectOne<AccessTokenRow>(
    db,
    `SELECT ${ACCESS_TOKEN_COLUMNS}, p.verification, p.disabled_by
     FROM oauth_access_tokens a
     JOIN oauth_grants g ON g.id = a.grant_id
     JOIN tenants t ON t.id = g.tenant_id
     JOIN oauth_apps p ON p.id = g.app_id
     WHERE a.token_hash = :hash`,
    { hash: hashToken(token) },
  );
  return row ? liveToken(row, now) : null;
}

/** Converts a row to a credential. Returns null if the token is no longer valid. */
export function liveToken(row: AccessTokenRow, now: number): AccessToken | null {
  if (row.expires_at <= now || row.grant_status !== 'active') return null;
  if (row.disabled_by !== null || !mayActFor(row, row)) return null;
  return {
    grantId: row.grant_id,
    appId: row.app_id,
    tenantId: row.tenant_id,
    tenantStatus: row.tenant_status,
    sandbox: row.sandbox === 1,
    capturesBodies: row.captures_bodies === 1,
    userId: row.granted_by,
    scopes: parseScopes(row.scopes),
    expiresAt: row.expires_at,
    hasBegun: row.begun === 1,
  };
}

/**
 * Returns true if the app may act for the tenant. An unverified app may act for sandboxes only (specification,
 * Authentication 10).
 */
export function mayActFor(
  app: { readonly verification: AppVerification },
  tenant: { readonly sandbox: 0 | 1 },
): boolean {
  return app.verification === 'verified' || tenant.sandbox === 1;
}
