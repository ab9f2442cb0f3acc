import {
  type AppVerification,
  isId,
  LIMITS,
  type ListParams,
  type OAuthAuthorization,
  type OAuthConsent,
  type Scope,
} from '@plat/contract';
import { findTenant } from '../accounts/tenants.ts';
import { mayActFor } from '../auth/access-tokens.ts';
import { parseScopes } from '../auth/scopes.ts';
import type { Change } from '../change.ts';
import type { Database } from '../db/database.ts';
import type { OAuthGrantRow } from '../db/models/oauth-grant.model.ts';
import type { UserRow } from '../db/models/user.model.ts';
import { selectPage } from '../db/page.ts';
import { forUpdate } from '../db/row-lock.ts';
import { execute, selectOne } from '../db/sql.ts';
import type { Page } from '../http/route.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime, isoTimeOrNull, laterThan } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken, newToken } from '../kernel/tokens.ts';
import { appNotVerified, tenantSuspended } from './tenant-rules.ts';

/** What a tenant's owner agrees to. */
export interface ConsentGiven {
  readonly app: { readonly id: string; readonly name: string; readonly verification: AppVerification };
  /** The owner. */
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** As it was given at the authorize endpoint, and checked. */
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

/**
 * Gives an app access to the tenant of the change: one family of tokens, beside any that the app has already. The code
 * that the first of them are got with is returned once.
 * @throws {@link ApiError} TENANT_SUSPENDED, APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT, FORBIDDEN
 */
export async function giveConsent(
  change: Change,
  { app, userId, scopes, redirectUri, codeChallenge }: ConsentGiven,
): Promise<{ readonly grantId: string; readonly code: string }> {
  const { db, transaction, tenantId, now } = change;
  // Locked, so that a suspension or a reset of the sandbox waits, or is waited for.
  const tenant = await findTenant(db, tenantId, transaction);
  if (tenant?.status !== 'active') throw tenantSuspended();
  if (!mayActFor(app, tenant)) throw appNotVerified();
  await refuseNonOwner(change, userId);

  const code = newToken('plat_ac_');
  const codeExpiresAt = now + LIMITS.authorizationCodeSeconds * 1000;
  const grant: OAuthGrantRow = {
    id: newId('grant', now),
    tenant_id: tenantId,
    app_id: app.id,
    granted_by: userId,
    scopes: JSON.stringify(scopes),
    status: 'active',
    revoked_reason: null,
    generation: 0,
    refreshed_at: null,
    // A consent whose code nobody exchanges comes to nothing.
    expires_at: codeExpiresAt,
    created_at: now,
    updated_at: now,
  };
  await db.models.oauthGrant.create(grant, { transaction });
  const codeRow = {
    code_hash: hashToken(code),
    grant_id: grant.id,
    redirect_uri: redirectUri,
    expires_at: codeExpiresAt,
  };
  await db.models.oauthCode.create({ ...codeRow, code_challenge: codeChallenge }, { transaction });

  await change.emit('oauth.app_authorized', presentAuthorization(grant, app.name, null), now);
  await change.audit({
    action: 'oauth.app_authorized',
    target: { type: 'consent', id: grant.id },
    changes: { app_id: { before: null, after: app.id }, scopes: { before: null, after: scopes } },
    at: now,
  });
  return { grantId: grant.id, code };
}

/** Only an owner consents for a tenant; the role is the one of now, not of when the page was opened. */
async function refuseNonOwner({ db, transaction, tenantId }: Change, userId: string): Promise<void> {
  const user = await selectOne<Pick<UserRow, 'role' | 'status'>>(
    db,
    `SELECT role, status FROM users WHERE tenant_id = :tenantId AND id = :userId${forUpdate(db)}`,
    { tenantId, userId },
    transaction,
  );
  if (user?.role !== 'owner' || user.status !== 'active') {
    throw new ApiError('FORBIDDEN', 'Only an owner of the tenant can give an app access');
  }
}

interface ConsentRow extends OAuthGrantRow {
  readonly app_name: string;
  readonly app_verification: AppVerification;
}

const CONSENT_COLUMNS = [
  'g.id AS id',
  'tenant_id',
  'app_id',
  'granted_by',
  'g.scopes AS scopes',
  'status',
  'revoked_reason',
  'generation',
  'refreshed_at',
  'expires_at',
  'g.created_at AS created_at',
  'g.updated_at AS updated_at',
  'p.name AS app_name',
  'p.verification AS app_verification',
];
const CONSENTS = 'oauth_grants g JOIN oauth_apps p ON p.id = g.app_id';

/** The consents of a tenant that hold, newest first. */
export async function listConsents(
  db: Database,
  tenantId: string,
  params: ListParams,
  now: number,
): Promise<Page<OAuthConsent>> {
  const { rows, hasMore } = await selectPage<ConsentRow>(db, {
    table: CONSENTS,
    columns: CONSENT_COLUMNS,
    kind: 'grant',
    idColumn: 'g.id',
    tenantId,
    params,
    where: [{ sql: "status = 'active' AND expires_at > :now", values: { now } }],
  });
  return { data: rows.map(presentConsent), hasMore };
}

/**
 * A consent of the tenant that holds.
 * @throws {@link ApiError} CONSENT_NOT_FOUND
 */
export async function getConsent(db: Database, tenantId: string, grantId: string, now: number): Promise<OAuthConsent> {
  const sql = `SELECT ${CONSENT_COLUMNS.join(', ')} FROM ${CONSENTS} WHERE g.id = :grantId`;
  const row = await selectOne<ConsentRow>(db, sql, { grantId });
  if (!isHeld(row, tenantId, now)) throw noConsent();
  return presentConsent(row);
}

/**
 * Takes a consent of the tenant back. Every token of it is dead with the commit.
 * @throws {@link ApiError} CONSENT_NOT_FOUND
 */
export async function revokeConsent(change: Change, grantId: string): Promise<OAuthConsent> {
  const { db, transaction, tenantId, now } = change;
  const row = isId('grant', grantId)
    ? await selectOne<ConsentRow>(
        db,
        `SELECT ${CONSENT_COLUMNS.join(', ')} FROM ${CONSENTS} WHERE g.id = :grantId${forUpdate(db)}`,
        { grantId },
        transaction,
      )
    : undefined;
  if (!isHeld(row, tenantId, now)) throw noConsent();
  const at = laterThan(row.updated_at, now);
  await markRevoked(change, row, 'tenant', at);
  await change.emit('oauth.app_revoked', presentAuthorization(row, row.app_name, at), at);
  await change.audit({
    action: 'oauth.app_revoked',
    target: { type: 'consent', id: row.id },
    changes: { app_id: { before: row.app_id, after: null } },
    at,
  });
  return presentConsent(row);
}

function isHeld(row: ConsentRow | undefined, tenantId: string, now: number): row is ConsentRow {
  return row?.tenant_id === tenantId && row.status === 'active' && row.expires_at > now;
}

function noConsent(): ApiError {
  return new ApiError('CONSENT_NOT_FOUND', 'The tenant has no such consent');
}

/** Ends a family, if it has not ended. Resolves to whether this did it. */
export async function markRevoked(
  { db, transaction }: Change,
  { id }: Pick<OAuthGrantRow, 'id'>,
  reason: NonNullable<OAuthGrantRow['revoked_reason']>,
  at: number,
): Promise<boolean> {
  const ended = await execute(
    db,
    `UPDATE oauth_grants SET status = 'revoked', revoked_reason = :reason, expires_at = :at, updated_at = :at
     WHERE id = :id AND status = 'active'`,
    { id, reason, at },
    transaction,
  );
  return ended > 0;
}

function presentConsent(row: ConsentRow): OAuthConsent {
  return {
    object: 'consent',
    id: row.id,
    app_id: row.app_id,
    app_name: row.app_name,
    app_verification: row.app_verification,
    tenant_id: row.tenant_id,
    scopes: parseScopes(row.scopes),
    granted_by: row.granted_by,
    created_at: isoTime(row.created_at),
    last_used_at: isoTimeOrNull(row.refreshed_at),
  };
}

/** What events say of a consent. */
function presentAuthorization(row: OAuthGrantRow, appName: string, revokedAt: number | null): OAuthAuthorization {
  return {
    object: 'oauth_authorization',
    app_id: row.app_id,
    app_name: appName,
    tenant_id: row.tenant_id,
    scopes: parseScopes(row.scopes),
    granted_by: row.granted_by,
    created_at: isoTime(row.created_at),
    revoked_at: isoTimeOrNull(revokedAt),
  };
}
