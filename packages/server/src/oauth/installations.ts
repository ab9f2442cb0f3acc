import { type Installation, type InstallationListParams, type InstallationState, isId, LIMITS } from '@plat/contract';
import { parseScopes } from '../auth/scopes.ts';
import type { Database } from '../db/database.ts';
import { presentPage, selectJoinedPage } from '../db/page.ts';
import { select, selectOne, usingIndex } from '../db/sql.ts';
import { OAUTH_GRANTS, type OAuthGrantRow } from '../db/tables/oauth-grants.ts';
import type { Page } from '../http/route.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts';

/** Columns of a grant that its presentation needs. */
export const INSTALLATION_COLUMNS = [
  ...(['id', 'tenant_id', 'app_id', 'granted_by', 'scopes', 'revoked_reason'] as const),
  ...(['refreshed_at', 'expires_at', 'created_at'] as const),
] as const;

/** The columns of a grant that is presented as an installation. */
export type InstallationView = Pick<OAuthGrantRow, (typeof INSTALLATION_COLUMNS)[number]>;

interface InstallationRow extends InstallationView {
  readonly state: InstallationState;
}

/** Returns the grants of an app to tenants, live and ended, newest first. Ended ones are kept for 30 days. */
export async function listInstallations(
  db: Database,
  appId: string,
  { state, tenant_id, ...params }: InstallationListParams,
  now: number,
): Promise<Page<Installation>> {
  const stateNow = stateAt(now);
  const status = state && (state === 'revoked' ? 'revoked' : 'active');
  const page = await selectJoinedPage<InstallationRow>(db, {
    table: OAUTH_GRANTS,
    from: OAUTH_GRANTS.name,
    columns: [...INSTALLATION_COLUMNS, `${stateNow} AS state`],
    kind: 'grant',
    tenantId: null,
    params,
    filters: { app_id: appId, tenant_id, status },
    where: state && state !== 'revoked' ? [{ sql: `${stateNow} = :state`, values: { state } }] : [],
  });
  return presentPage(page, (row) => presentInstallation(row, row.state));
}

/**
 * Returns a grant of the app to a tenant, live or ended.
 * @throws {@link ApiError} INSTALLATION_NOT_FOUND
 */
export async function getInstallation(
  db: Database,
  appId: string,
  installationId: string,
  now: number,
): Promise<Installation> {
  const columns = [...INSTALLATION_COLUMNS, `${stateAt(now)} AS state`];
  const sql = `SELECT ${columns.join(', ')} FROM ${OAUTH_GRANTS.name} WHERE id = :installationId AND app_id = :appId`;
  const row = isId('grant', installationId)
    ? await selectOne<InstallationRow>(db, sql, { installationId, appId })
    : undefined;
  if (!row) throw new ApiError('INSTALLATION_NOT_FOUND', 'The app has no such installation');
  return presentInstallation(row, row.state);
}

/** Returns the time of the latest tokens of each app, for any tenant. An app that never got tokens is absent. */
export async function lastTokensOf(db: Database, appIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (appIds.length === 0) return new Map();
  const rows = await select<{ readonly id: string; readonly latest: number | null }>(
    db,
    `SELECT a.id AS id, (SELECT g.refreshed_at FROM oauth_grants g ${usingIndex(db, 'oauth_grants_app_refreshed')}
       WHERE g.app_id = a.id AND g.refreshed_at IS NOT NULL ORDER BY g.refreshed_at DESC LIMIT 1) AS latest
     FROM oauth_apps a WHERE a.id IN (:appIds)`,
    { appIds },
  );
  return new Map(rows.flatMap(({ id, latest }) => (latest === null ? [] : [[id, isoTime(latest)]])));
}

/** Converts a row to the installation that the developer of the app sees. */
export function presentInstallation(row: InstallationView, state: InstallationState): Installation {
  return {
    object: 'installation',
    id: row.id,
    app_id: row.app_id,
    tenant_id: row.tenant_id,
    scopes: parseScopes(row.scopes),
    state,
    granted_by: row.granted_by,
    granted_at: isoTime(row.created_at),
    last_used_at: isoTimeOrNull(row.refreshed_at),
    expires_at: isoTime(Math.min(row.expires_at, idleEnd(row.refreshed_at ?? row.expires_at))),
    revoked_reason: row.revoked_reason,
  };
}

const IDLE_MS = LIMITS.refreshTokenSeconds * 1000;

/** Time at which a grant ends unless its refresh token is used, in ms. */
function idleEnd(refreshedAt: number): number {
  return refreshedAt + IDLE_MS;
}

/** SQL: the state of a grant at a time in ms. */
function stateAt(now: number): string {
  return `CASE
    WHEN status = 'revoked' THEN 'revoked'
    WHEN expires_at <= ${now} OR refreshed_at <= ${now - IDLE_MS} THEN 'expired'
    WHEN generation = 0 THEN 'pending'
    WHEN (SELECT t.status FROM tenants t WHERE t.id = oauth_grants.tenant_id) = 'suspended' THEN 'suspended'
    ELSE 'active' END`;
}
