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
import { lockOwner } from '../db/owners.ts';
import { presentPage, selectJoinedPage } from '../db/page.ts';
import { forUpdate } from '../db/row-lock.ts';
import { selectOne } from '../db/sql.ts';
import type { OAuthGrantRow } from '../db/tables/oauth-grants.ts';
import type { UserRow } from '../db/tables/users.ts';
import { tenantSuspended } from '../http/gate.ts';
import type { Page } from '../http/route.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime, isoTimeOrNull, laterThan } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken, newToken } from '../kernel/tokens.ts';
import { endOtherGrants, markRevoked } from './end-family.ts';
import { reportEnd } from './installation-events.ts';
import { presentInstallation } from './installations.ts';
import { appDisabled, appNotVerified, ownersOnly } from './tenant-rules.ts';

/** The access that the owner of a tenant allows. */
export interface ConsentGiven {
  readonly app: { readonly id: string; readonly name: string; readonly verification: AppVerification };
  /** Id of the owner. */
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Redirect URI of the authorization request, checked. */
  readonly redirectUri: string;
  readonly codeChallenge: string;
  /** Authorization code of the submitted form under each master key, the current one first. A random code if absent. */
  readonly codes?: readonly string[];
}

export interface GivenConsent {
  readonly grantId: string;
  readonly code: string;
  /** False if the form was sent before and its code was used or has expired; otherwise the code can be exchanged. */
  readonly isOpen: boolean;
}

/**
 * Gives an app access to the tenant of the change, as one grant family. When the grant begins, it replaces the former
 * one. The same form gives one consent, however often it is sent.
 * @throws {@link ApiError} TENANT_SUSPENDED, APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT, APP_DISABLED, FORBIDDEN
 */
export async function giveConsent(
  change: Change,
  { app, userId, scopes, redirectUri, codeChallenge, codes = [newToken('plat_ac_')] }: ConsentGiven,
): Promise<GivenConsent> {
  const { db, transaction, tenantId, now } = change;
  // The lock orders this change against a suspension or a reset of the sandbox.
  const tenant = await findTenant(db, tenantId, transaction);
  if (tenant?.status !== 'active') throw tenantSuspended();
  if (!mayActFor(app, tenant)) throw appNotVerified();
  await refuseNonOwner(change, userId);
  await refuseDisabled(change, app.id);
  for (const code of codes) {
    const before = await findByCode(change, code);
    if (before) return before;
  }

  const [code] = codes;
  if (code === undefined) throw new Error('a consent has a code');
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
    begun: 0,
    code_hash: hashToken(code),
    code_challenge: codeChallenge,
    redirect_uri: redirectUri,
    refresh_hash: null,
    previous_refresh_hash: null,
    access_hash: null,
    previous_access_hash: null,
    refreshed_at: null,
    exchanges: null,
    // Until its code is exchanged, the consent expires with the code.
    expires_at: codeExpiresAt,
    created_at: now,
    updated_at: now,
  };
  await db.models.oauthGrant.create(grant, { transaction });
  await change.emit('oauth.app_authorized', presentAuthorization(grant, app.name, null), now);
  await change.emitToApp(app.id, 'installation.authorized', presentInstallation(grant, 'pending'), now);
  await change.audit({
    action: 'oauth.app_authorized',
    target: { type: 'consent', id: grant.id },
    changes: { app_id: { before: null, after: app.id }, scopes: { before: null, after: scopes } },
    at: now,
  });
  return { grantId: grant.id, code, isOpen: true };
}

/** Returns the earlier consent of the same form. The tenant's row is locked, so none is added meanwhile. */
async function findByCode({ db, transaction, now }: Change, code: string): Promise<GivenConsent | undefined> {
  const row = await db.models.oauthGrant.findOne({ where: { code_hash: hashToken(code) }, transaction, raw: true });
  if (!row) return undefined;
  const isOpen = row.status === 'active' && row.generation === 0 && row.expires_at > now;
  return { grantId: row.id, code, isOpen };
}

/**
 * Refuses a disabled or deleted app. It may have ended while the page was open. The lock orders this change against its
 * end, which ends the consents that it finds.
 */
async function refuseDisabled({ db, transaction }: Change, appId: string): Promise<void> {
  await lockOwner(db, appId, transaction);
  const app = await db.models.oauthApp.findByPk(appId, { transaction, raw: true });
  if (app?.disabled_by !== null) throw appDisabled();
}

/**
 * Refuses a user who is not an owner. The role is read again, because it may have changed since the page was opened.
 */
async function refuseNonOwner({ db, transaction, tenantId }: Change, userId: string): Promise<void> {
  const where = { tenant_id: tenantId, id: userId };
  const user = await db.models.user.findOne({ where, transaction, lock: true, raw: true });
  if (user?.role !== 'owner' || user.status !== 'active') {
    throw ownersOnly();
  }
}

/** Columns of a grant that its presentation needs. */
type GrantView = Pick<
  OAuthGrantRow,
  'id' | 'tenant_id' | 'app_id' | 'granted_by' | 'scopes' | 'status' | 'refreshed_at' | 'expires_at'
> &
  Pick<OAuthGrantRow, 'created_at' | 'updated_at'>;

interface ConsentRow extends GrantView {
  readonly app_name: string;
  readonly app_verification: AppVerification;
  /** Status of the user who consented; null if that user no longer exists. */
  readonly user_status: UserRow['status'] | null;
}

const CONSENT_COLUMNS = [
  'g.id AS id',
  'tenant_id',
  'app_id',
  'granted_by',
  'g.scopes AS scopes',
  'status',
  'refreshed_at',
  'expires_at',
  'g.created_at AS created_at',
  'g.updated_at AS updated_at',
  'p.name AS app_name',
  'p.verification AS app_verification',
  '(SELECT u.status FROM users u WHERE u.tenant_id = g.tenant_id AND u.id = g.granted_by) AS user_status',
];
const CONSENTS = 'oauth_grants g JOIN oauth_apps p ON p.id = g.app_id';

/** Returns the live consents of a tenant, newest first. */
export async function listConsents(
  db: Database,
  tenantId: string,
  params: ListParams,
  now: number,
): Promise<Page<OAuthConsent>> {
  const page = await selectJoinedPage<ConsentRow>(db, {
    from: CONSENTS,
    columns: CONSENT_COLUMNS,
    kind: 'grant',
    idColumn: 'g.id',
    tenantId,
    params,
    where: [{ sql: "status = 'active' AND expires_at > :now", values: { now } }],
  });
  return presentPage(page, presentConsent);
}

/**
 * Returns a live consent of the tenant.
 * @throws {@link ApiError} CONSENT_NOT_FOUND
 */
export async function getConsent(db: Database, tenantId: string, grantId: string, now: number): Promise<OAuthConsent> {
  const sql = `SELECT ${CONSENT_COLUMNS.join(', ')} FROM ${CONSENTS} WHERE g.id = :grantId`;
  const row = await selectOne<ConsentRow>(db, sql, { grantId });
  if (!isHeld(row, tenantId, now)) throw noConsent();
  return presentConsent(row);
}

/**
 * Revokes a consent of the tenant and every other grant of the same app. The commit ends all its tokens and codes. It
 * is one revocation, with one event.
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
  await endOtherGrants(change, row, 'all', 'tenant');
  await change.emit('oauth.app_revoked', presentAuthorization(row, row.app_name, at), at);
  await reportEnd(change, row.id, 'tenant');
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
    granted_by_status: row.user_status,
    created_at: isoTime(row.created_at),
    last_used_at: isoTimeOrNull(row.refreshed_at),
  };
}

/** Returns the payload of consent events. */
function presentAuthorization(row: GrantView, appName: string, revokedAt: number | null): OAuthAuthorization {
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
