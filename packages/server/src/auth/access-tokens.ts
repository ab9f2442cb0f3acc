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

/** An access token that works, unless its tenant is suspended. */
export interface AccessToken {
  /** The consent it comes of. */
  readonly grantId: string;
  readonly appId: string;
  readonly tenantId: string;
  readonly tenantStatus: 'active' | 'suspended';
  readonly sandbox: boolean;
  /** Who gave the consent. */
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** In ms. */
  readonly expiresAt: number;
  /** Whether a token of its grant was used before: the first use ends the former grants. */
  readonly hasBegun: boolean;
}

const OF_TOKEN = ['scopes', 'expires_at', 'grant_id'] as const;
const OF_GRANT = ['tenant_id', 'app_id', 'granted_by', 'begun'] as const;

/** SQL: the columns that are looked up of an access token `a`, its grant `g` and its tenant `t`. */
export const ACCESS_TOKEN_COLUMNS = `${qualified('a', OF_TOKEN)}, ${qualified('g', OF_GRANT)},
       g.status AS grant_status, t.status AS tenant_status, t.sandbox`;

/** An access token with everything that it depends on, the verification of its app included. */
export interface AccessTokenRow
  extends Pick<OAuthAccessTokenRow, (typeof OF_TOKEN)[number]>,
    Pick<OAuthGrantRow, (typeof OF_GRANT)[number]>,
    Pick<TenantRow, 'sandbox'>,
    Pick<OAuthAppRow, 'verification' | 'disabled_by'> {
  readonly grant_status: OAuthGrantRow['status'];
  readonly tenant_status: TenantRow['status'];
}

/**
 * Looks a presented access token up by its hash: one query each time, primary keys only. What ends its family, its app's
 * verification or its tenant's access holds for the very next request in every process.
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

/** What a row says, unless the token works no more. */
export function liveToken(row: AccessTokenRow, now: number): AccessToken | null {
  if (row.expires_at <= now || row.grant_status !== 'active') return null;
  if (row.disabled_by !== null || !mayActFor(row, row)) return null;
  return {
    grantId: row.grant_id,
    appId: row.app_id,
    tenantId: row.tenant_id,
    tenantStatus: row.tenant_status,
    sandbox: row.sandbox === 1,
    userId: row.granted_by,
    scopes: parseScopes(row.scopes),
    expiresAt: row.expires_at,
    hasBegun: row.begun === 1,
  };
}

/** An app that is not verified works with developers' sandboxes only (specification, Authentication 10). */
export function mayActFor(
  app: { readonly verification: AppVerification },
  tenant: { readonly sandbox: 0 | 1 },
): boolean {
  return app.verification === 'verified' || tenant.sandbox === 1;
}
