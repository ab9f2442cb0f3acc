import type { TraceGrant } from '@plat/contract';
import type { AuditView } from '../../accounts/present-audit-event.ts';
import { readExchanges } from '../../auth/grant-exchanges.ts';
import { isReuse } from '../../auth/reuse.ts';
import type { ReadContext } from '../../context.ts';
import type { OAuthGrantRow } from '../../db/tables/oauth-grants.ts';
import { isoTime } from '../../kernel/clock.ts';

const COLUMNS = ['id', 'app_id', 'status', 'revoked_reason', 'exchanges', 'expires_at', 'created_at'] as const;
export type GrantView = Pick<OAuthGrantRow, (typeof COLUMNS)[number]>;

/** Maximum number of grants that are searched for those of an app, and of an app that are shown. */
const MAX_SEARCHED = 200;
const MAX_SHOWN = 10;

/** Returns a grant of the tenant; an empty list if there is none. */
export function grantById({ db, tenantId }: ReadContext, id: string): Promise<readonly GrantView[]> {
  return db.models.oauthGrant.findAll({ attributes: [...COLUMNS], where: { id, tenant_id: tenantId }, raw: true });
}

/** Returns the newest grants of the tenant to an app. */
export async function grantsOfApp({ db, tenantId }: ReadContext, appId: string): Promise<readonly GrantView[]> {
  const rows = await db.models.oauthGrant.findAll({
    attributes: [...COLUMNS],
    where: { tenant_id: tenantId },
    order: [['id', 'DESC']],
    limit: MAX_SEARCHED,
    raw: true,
  });
  return rows.filter(({ app_id }) => app_id === appId).slice(0, MAX_SHOWN);
}

/** Returns the recorded steps of a grant. */
export function grantSteps(grant: GrantView, changes: readonly AuditView[], now: number): TraceGrant[] {
  const { id, app_id, status, revoked_reason: reason, expires_at: endsAt } = grant;
  const causeOf = (...actions: readonly string[]) =>
    changes.find(({ target_id, action }) => target_id === id && actions.includes(action));
  const step = (name: TraceGrant['step'], at: number, more: Partial<TraceGrant> = {}): TraceGrant => ({
    ...{ kind: 'grant', id, at: isoTime(at), caused_by: null, step: name, reason: null },
    ...{ app_id, generation: null, request_id: null, ip: null },
    ...more,
  });
  const caused = (change: AuditView | undefined): Partial<TraceGrant> =>
    change ? { caused_by: change.id, request_id: change.request_id, ip: change.ip } : {};
  const end = { ...caused(causeOf('oauth.tokens_revoked', 'oauth.app_revoked')), reason };
  return [
    step('issued', grant.created_at, caused(causeOf('oauth.app_authorized'))),
    ...readExchanges(grant.exchanges).map(({ generation, at, requestId, ip }) =>
      step(generation === 1 ? 'exchanged' : 'refreshed', at, { generation, request_id: requestId, ip }),
    ),
    ...(status === 'revoked' ? [step(isReuse(reason) ? 'reused' : 'revoked', endsAt, end)] : []),
    ...(status === 'active' && endsAt <= now ? [step('expired', endsAt)] : []),
  ];
}
