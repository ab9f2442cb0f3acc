import { type Actor, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import type { OAuthGrantRow, RevokedReason } from '../db/models/oauth-grant.model.ts';
import { lockTenant } from '../db/row-lock.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { markRevoked } from './consents.service.ts';

interface Ending {
  readonly grant: Pick<OAuthGrantRow, 'id' | 'tenant_id' | 'app_id'>;
  readonly reason: Exclude<RevokedReason, 'tenant'>;
  /** The app, which ended it or gave cause to. */
  readonly actor: Actor;
  readonly now: number;
}

/**
 * Ends a family of tokens that its app has given up, or that somebody else may have got hold of. It is committed when
 * this resolves. The tenant took nothing back, so there is no oauth.app_revoked; the audit trail tells of it.
 */
export function endFamily(db: Database, { grant, reason, actor, now }: Ending): Promise<void> {
  const { tenant_id: tenantId } = grant;
  return unitOfWork(db, async (transaction) => {
    await lockTenant(db, tenantId, transaction);
    const change = openChange({ db, tenantId, now }, transaction, actor);
    if (!(await markRevoked(change, grant, reason, now))) return;
    await change.audit({
      action: 'oauth.tokens_revoked',
      target: { type: 'consent', id: grant.id },
      changes: { revoked_reason: { before: null, after: reason } },
      at: now,
    });
  });
}
