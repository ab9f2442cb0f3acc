import type { UserCaller } from '../auth/credential.ts';
import type { Context, WriteContext } from '../context.ts';
import type { PipelineServices } from '../http/pipeline.ts';
import { reserveAndMail } from '../http/reserve-and-mail.ts';
import { seededId } from '../kernel/ids.ts';
import { type ChangeServices, type Changing, changeAs } from './change-as.ts';

export type WriteServices = ChangeServices &
  Pick<PipelineServices, 'sealer' | 'log' | 'baseUrl' | 'webhookTargets' | 'mailLimits' | 'quotas'>;

/**
 * Runs a service function of /v1 as the signed-in account, in one transaction. Its rules, errors, events and audit
 * entries are those of the API; the actor is the account.
 * @throws {@link ApiError} TENANT_SUSPENDED, and the errors of `work`
 */
export function writeAs<Result>(
  services: WriteServices,
  changing: Changing & { readonly requestId: string },
  work: (ctx: WriteContext) => Promise<Result>,
): Promise<Result> {
  const { session, requestId, ip } = changing;
  const { sealer, log, webhookTargets } = services;
  return changeAs(services, changing, (change) =>
    work({
      ...change,
      requestId,
      sealer,
      log,
      webhookTargets,
      baseUrl: services.baseUrl(),
      credential: callerOf(session),
      ...reserveAndMail(services, change, { sandbox: session.sandbox, ip }),
    }),
  );
}

/** Returns the context in which the signed-in account reads with a service function of /v1. */
export function readingAs(
  services: WriteServices,
  { session, requestId }: Pick<Changing, 'session'> & { readonly requestId: string },
): Context {
  const { db, sealer, log, webhookTargets, clock } = services;
  const call = { requestId, tenantId: session.tenantId, now: clock(), transaction: null };
  return { db, sealer, log, webhookTargets, baseUrl: services.baseUrl(), credential: callerOf(session), ...call };
}

/** The signed-in account as a caller. The console checks its rights, so it has no scopes. */
function callerOf(session: Changing['session']): UserCaller {
  const { tenantId, sandbox } = session;
  const common = { tenantId, tenantStatus: 'active', sandbox, scopes: [] } as const;
  if (session.kind === 'admin') {
    const { userId: id } = session;
    return { id, actor: { type: 'user', id }, userId: id, ...common };
  }
  const { developerId: id } = session;
  // The developer of a sandbox is its first owner.
  return { id, actor: { type: 'developer', id }, userId: seededId(tenantId, 'user', 0), ...common };
}
