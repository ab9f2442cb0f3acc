import { ALL_SCOPES, type OperationName } from '@plat/contract';
import { findTenantKey } from '../accounts/api-keys.ts';
import { findTenant } from '../accounts/tenants.ts';
import type { Credential } from '../auth/credential.ts';
import { seededId } from '../kernel/ids.ts';
import type { PageCall } from './page-route.ts';
import { scopesOfCall } from './room-scopes.ts';

/**
 * Returns the signed-in account as a caller of an operation. A developer has the scopes of the sandbox's key, or all
 * while there is none. A user has those of the rooms that the role may open.
 */
export async function callerOf({ session, db, now }: PageCall, operation: OperationName): Promise<Credential> {
  const { tenantId, sandbox } = session;
  const [tenant, key] = await Promise.all([
    findTenant(db, tenantId, null),
    session.kind === 'developer' ? findTenantKey(db, tenantId, now) : null,
  ]);
  const tenantStatus = tenant?.status === 'active' ? 'active' : 'suspended';
  const capturesBodies = tenant?.captures_bodies === 1;
  const { sessionId } = session;
  const common = { type: 'session', sessionId, tenantId, tenantStatus, sandbox, capturesBodies } as const;
  if (session.kind === 'developer') {
    const { developerId: id } = session;
    const userId = seededId(tenantId, 'user', 0);
    return { ...common, id, actor: { type: 'developer', id }, userId, scopes: key?.scopes ?? ALL_SCOPES };
  }
  const { userId: id } = session;
  return { ...common, id, actor: { type: 'user', id }, userId: id, scopes: scopesOfCall(session, operation) };
}
