import type { RevokedReason } from '@plat/contract';
import { type Actor, type Change, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { lockTenant } from '../db/row-lock.ts';
import { execute, select } from '../db/sql.ts';
import type { OAuthGrantRow } from '../db/tables/oauth-grants.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { reportEnd, reportReplacement } from './installation-events.ts';

type EndedGrant = Pick<OAuthGrantRow, 'id'>;
type OtherGrant = Pick<OAuthGrantRow, 'id' | 'scopes'>;
type GrantOfApp = Pick<OAuthGrantRow, 'id' | 'app_id'>;

interface Ending {
  readonly grant: Pick<OAuthGrantRow, 'id' | 'tenant_id' | 'app_id'>;
  readonly reason: Exclude<RevokedReason, 'tenant'>;
  /** The app that ended the family, or whose request caused the end. */
  readonly actor: Actor;
  readonly now: number;
}

/**
 * Ends a token family that its app revoked or whose tokens may be stolen. Commits before it resolves. The tenant did
 * not revoke access, so no oauth.app_revoked is emitted; the audit trail records the end.
 */
export async function endFamily(db: Database, { grant, reason, actor, now }: Ending): Promise<void> {
  const { tenant_id: tenantId } = grant;
  await unitOfWork(db, async (transaction) => {
    await lockTenant(db, tenantId, transaction);
    await endGrant(openChange({ db, tenantId, now }, transaction, actor), grant, reason);
  });
}

/** SQL conditions that select other grants of the same app and tenant. */
const OTHERS = {
  /** Exchanged but never used. A later exchange replaces it at once. */
  unused: 'AND generation > 0 AND begun = 0',
  /** Exchanged. A grant replaces these when it begins. Codes that are not exchanged yet stay valid. */
  exchanged: 'AND generation > 0',
  all: '',
} as const;

/**
 * Ends the other live grants of the same app and tenant, in the transaction of the change. A grant may begin while this
 * waits for the lock of the tenant's row, so each update repeats the condition.
 */
export async function endOtherGrants(
  change: Change,
  { id, app_id: appId }: GrantOfApp,
  which: keyof typeof OTHERS,
  reason: RevokedReason,
): Promise<void> {
  const { db, transaction, tenantId, now } = change;
  const others = await select<OtherGrant>(
    db,
    `SELECT id, scopes FROM oauth_grants
     WHERE app_id = :appId AND tenant_id = :tenantId AND status = 'active' AND expires_at > :now AND id <> :id
       ${OTHERS[which]}`,
    { appId, tenantId, id, now },
    transaction,
  );
  if (others.length === 0) return;
  await lockTenant(db, tenantId, transaction);
  let former: OtherGrant | undefined;
  // Ids are in the order of time: the newest of them is the former one.
  for (const grant of others.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    if (await endGrant(change, grant, reason, OTHERS[which])) former = grant;
  if (former && which === 'exchanged') await reportReplacement(change, id, former);
}

/**
 * Marks a grant as begun at the first use of its tokens on the API, and ends the former grants of its app and tenant.
 * An app that loses the response of the exchange therefore keeps its former grant.
 */
export function beginGrant(
  db: Database,
  { grantId, appId, tenantId }: { readonly grantId: string; readonly appId: string; readonly tenantId: string },
  now: number,
): Promise<void> {
  return unitOfWork(db, async (transaction) => {
    await lockTenant(db, tenantId, transaction);
    const sql = "UPDATE oauth_grants SET begun = 1 WHERE id = :grantId AND begun = 0 AND status = 'active'";
    if ((await execute(db, sql, { grantId }, transaction)) === 0) return;
    const actor: Actor = { type: 'oauth_app', id: appId, requestId: null, ip: null };
    const change = openChange({ db, tenantId, now }, transaction, actor);
    await endOtherGrants(change, { id: grantId, app_id: appId }, 'exchanged', 'replaced');
  });
}

/** Ends a live grant, writes it to the audit trail and reports it to the app. Resolves to true if this call ended it. */
async function endGrant(change: Change, grant: EndedGrant, reason: RevokedReason, only = ''): Promise<boolean> {
  if (!(await markRevoked(change, grant, reason, change.now, only))) return false;
  await change.audit({
    action: 'oauth.tokens_revoked',
    target: { type: 'consent', id: grant.id },
    changes: { revoked_reason: { before: null, after: reason } },
    at: change.now,
  });
  await reportEnd(change, grant.id, reason);
  return true;
}

/**
 * Ends a live family. Resolves to true if this call ended it.
 * @param only SQL, a further condition
 */
export async function markRevoked(
  { db, transaction }: Pick<Change, 'db' | 'transaction'>,
  { id }: EndedGrant,
  reason: RevokedReason,
  at: number,
  only = '',
): Promise<boolean> {
  const ended = await execute(
    db,
    `UPDATE oauth_grants SET status = 'revoked', revoked_reason = :reason, expires_at = :at, updated_at = :at
     WHERE id = :id AND status = 'active' ${only}`,
    { id, reason, at },
    transaction,
  );
  return ended > 0;
}
