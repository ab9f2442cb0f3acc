import {
  isId,
  type ListParams,
  type OAuthApp,
  type OAuthAppCreateParams,
  type OAuthAppSecretRotateParams,
  type OAuthAppUpdateParams,
  type OAuthAppWithSecret,
} from '@plat/contract';
import { col, type Transaction } from 'sequelize';
import type { Change } from '../change.ts';
import type { WriteContext } from '../context.ts';
import { changedFields } from '../db/changes.ts';
import type { Database } from '../db/database.ts';
import { presentPage, selectPage } from '../db/page.ts';
import { OAUTH_APPS, type OAuthAppRow } from '../db/tables/oauth-apps.ts';
import type { Page } from '../http/route.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime, laterThan } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken, newToken } from '../kernel/tokens.ts';
import { checkApp } from './app-rules.ts';
import { APP_VIEW, type AppView, presentApp } from './apps.present.ts';

/*
 * The apps of a developer. Each change is a change of the developer's sandbox tenant and appears in its audit trail.
 * Its transaction locks the tenant's row, like every change of a sandbox.
 */

export async function listApps(db: Database, developerId: string, params: ListParams): Promise<Page<OAuthApp>> {
  const page = await selectPage(db, {
    table: OAUTH_APPS,
    columns: APP_VIEW,
    kind: 'app',
    tenantId: null,
    params,
    filters: { developer_id: developerId },
  });
  return presentPage(page, presentApp);
}

/** @throws {@link ApiError} APP_NOT_FOUND */
export async function getApp(
  db: Database,
  developerId: string,
  appId: string,
  transaction: Transaction | null = null,
): Promise<OAuthApp> {
  return presentApp(await findOwnApp(db, developerId, appId, transaction));
}

/** Returns the id of the newest app; undefined if there is none. */
export async function findNewestApp(
  db: Database,
  developerId: string,
  transaction: Transaction | null,
): Promise<string | undefined> {
  const where = { developer_id: developerId };
  const newest: string | null = await db.models.oauthApp.max('id', { where, transaction });
  return newest ?? undefined;
}

/**
 * Registers an app. Only this response contains its secret.
 * @throws {@link ApiError} INVALID_BODY, APP_LIMIT
 */
export async function registerApp(
  change: Change & Pick<WriteContext, 'reserve'>,
  developerId: string,
  { name, website = null, redirect_uris, scopes }: OAuthAppCreateParams,
): Promise<OAuthAppWithSecret> {
  const { db, transaction, now } = change;
  await change.reserve('apps');
  const secret = newToken('plat_cs_');
  const row: OAuthAppRow = {
    id: newId('app', now),
    developer_id: developerId,
    name,
    website,
    redirect_uris: JSON.stringify(redirect_uris),
    scopes: JSON.stringify([...new Set(scopes)]),
    verification: 'unverified',
    verification_note: null,
    disabled_by: null,
    secret_hash: hashToken(secret),
    previous_secret_hash: null,
    previous_secret_expires_at: null,
    locks: 0,
    created_at: now,
    updated_at: now,
  };
  const app = presentApp(row);
  checkApp(app);
  await db.models.oauthApp.create(row, { transaction });
  await change.audit({ action: 'app.registered', target: { type: 'app', id: app.id }, at: now });
  return { ...app, client_secret: secret };
}

/**
 * Changes an app. Existing consents stay unchanged.
 * @throws {@link ApiError} APP_NOT_FOUND, INVALID_BODY, APP_NAME_PROTECTED
 */
export async function updateApp(
  change: Change,
  developerId: string,
  appId: string,
  input: OAuthAppUpdateParams,
): Promise<OAuthApp> {
  const { db, transaction } = change;
  const before = await findOwnApp(db, developerId, appId, transaction);
  const after: AppView = {
    ...before,
    name: input.name ?? before.name,
    website: input.website === undefined ? before.website : input.website,
    redirect_uris: input.redirect_uris ? JSON.stringify(input.redirect_uris) : before.redirect_uris,
    scopes: input.scopes ? JSON.stringify([...new Set(input.scopes)]) : before.scopes,
    updated_at: laterThan(before.updated_at, change.now),
  };
  const app = presentApp(after);
  const changes = changedFields(presentApp(before), app);
  if (Object.keys(changes).length === 0) return presentApp(before);
  checkApp(app);
  if (isReviewed(before) && ('name' in changes || 'website' in changes)) {
    throw new ApiError(
      'APP_NAME_PROTECTED',
      'The name and website of an app cannot change from the request of its review on',
    );
  }
  await db.models.oauthApp.update(after, { where: { id: appId }, transaction });
  await change.audit({ action: 'app.updated', target: { type: 'app', id: appId }, changes, at: after.updated_at });
  return app;
}

/**
 * Returns true if name and website of an app must stay. During the review, a change would get a name verified that the
 * platform did not see.
 */
export function isReviewed({ verification }: Pick<OAuthApp, 'verification'>): boolean {
  return verification === 'verified' || verification === 'pending';
}

/**
 * Rotates the secret of an app. Only this response contains the new secret. The old secret stays valid for the
 * requested time, so that the app can change over; a secret that was replaced earlier ends at once.
 * @throws {@link ApiError} APP_NOT_FOUND
 */
export async function rotateAppSecret(
  change: Change,
  developerId: string,
  appId: string,
  { expires_in: overlap = 0 }: OAuthAppSecretRotateParams,
): Promise<OAuthAppWithSecret> {
  const { db, transaction, now } = change;
  const before = await findOwnApp(db, developerId, appId, transaction);
  const secret = newToken('plat_cs_');
  const after: AppView = {
    ...before,
    previous_secret_expires_at: overlap > 0 ? now + overlap * 1000 : null,
    updated_at: laterThan(before.updated_at, now),
  };
  // MySQL assigns from left to right: the old hash is copied before the new one is set.
  const hashes = { previous_secret_hash: overlap > 0 ? col('secret_hash') : null, secret_hash: hashToken(secret) };
  await db.models.oauthApp.update({ ...after, ...hashes }, { where: { id: appId }, transaction });
  await change.emitToApp(appId, 'app.secret_rotated', presentApp(after), after.updated_at);
  await change.audit({ action: 'app.secret_rotated', target: { type: 'app', id: appId }, at: after.updated_at });
  return { ...presentApp(after), client_secret: secret };
}

/**
 * Revokes the previous secret of an app, which was replaced with an overlap, before it expires. Changes nothing if there
 * is none.
 * @param expectedExpiry time at which the secret to revoke expires, as presented; any if absent
 * @throws {@link ApiError} APP_NOT_FOUND
 */
export async function revokePreviousSecret(
  change: Change,
  developerId: string,
  appId: string,
  expectedExpiry?: string,
): Promise<OAuthApp> {
  const { db, transaction, now } = change;
  const before = await findOwnApp(db, developerId, appId, transaction);
  const { previous_secret_expires_at: until } = before;
  if (until === null || until <= now || (expectedExpiry ?? isoTime(until)) !== isoTime(until))
    return presentApp(before);
  const after: AppView = { ...before, previous_secret_expires_at: null, updated_at: laterThan(before.updated_at, now) };
  await db.models.oauthApp.update({ ...after, previous_secret_hash: null }, { where: { id: appId }, transaction });
  const target = { type: 'app', id: appId } as const;
  await change.audit({ action: 'app.previous_secret_revoked', target, at: after.updated_at });
  return presentApp(after);
}

/** @throws {@link ApiError} APP_NOT_FOUND */
export async function findOwnApp(
  db: Database,
  developerId: string,
  appId: string,
  transaction: Transaction | null,
): Promise<AppView> {
  const row = await findApp(db, appId, transaction);
  if (row?.developer_id !== developerId) {
    throw new ApiError('APP_NOT_FOUND', 'There is no such app in the developer account');
  }
  return row;
}

/** Reads the names of apps of any developer by their ids. */
export async function readAppNames(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.models.oauthApp.findAll({ attributes: ['id', 'name'], where: { id: ids }, raw: true });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Finds an app of any developer. Locks its row inside a transaction. */
export async function findApp(db: Database, appId: string, transaction: Transaction | null): Promise<AppView | null> {
  if (!isId('app', appId)) return null;
  return db.models.oauthApp.findByPk(appId, {
    attributes: [...APP_VIEW],
    transaction,
    lock: transaction !== null,
    raw: true,
  });
}
