import type { RevokedReason } from '@plat/contract';
import { isReuse } from '../auth/reuse.ts';
import { parseScopes } from '../auth/scopes.ts';
import type { Change } from '../change.ts';
import { selectOne } from '../db/sql.ts';
import { INSTALLATION_COLUMNS, type InstallationView, presentInstallation } from './installations.ts';

/*
 * The events that an app receives about its installations. The end of all of them at once, because the app was disabled
 * or deleted, is one event of the app.
 */

/**
 * Reports that a grant has ended, in the transaction of the change. A grant that a later one replaced is not reported:
 * the tenant still gives the app access.
 */
export async function reportEnd(change: Change, grantId: string, reason: RevokedReason): Promise<void> {
  if (reason === 'replaced') return;
  const row = await findGrant(change, grantId);
  const revoked = { ...presentInstallation(row, 'revoked'), revoked_by: change.actor };
  if (isReuse(reason)) await change.emitToApp(row.app_id, 'installation.reuse_detected', revoked, change.now);
  await change.emitToApp(row.app_id, 'installation.revoked', revoked, change.now);
}

/** Reports that a grant replaced another one with other scopes. */
export async function reportReplacement(
  change: Change,
  grantId: string,
  former: Pick<InstallationView, 'id' | 'scopes'>,
): Promise<void> {
  const row = await findGrant(change, grantId);
  const [scopes, previous] = [row.scopes, former.scopes].map(parseScopes);
  if (!scopes || !previous || [...scopes].sort().join() === [...previous].sort().join()) return;
  const changed = {
    ...presentInstallation(row, 'active'),
    previous_id: former.id,
    previous_scopes: previous,
  };
  await change.emitToApp(row.app_id, 'installation.scopes_changed', changed, change.now);
}

async function findGrant({ db, transaction }: Change, grantId: string): Promise<InstallationView> {
  const sql = `SELECT ${INSTALLATION_COLUMNS.join(', ')} FROM oauth_grants WHERE id = :grantId`;
  const row = await selectOne<InstallationView>(db, sql, { grantId }, transaction);
  if (!row) throw new Error(`the grant ${grantId} is gone`);
  return row;
}
