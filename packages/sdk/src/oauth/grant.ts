import type { Scope } from '@plat/contract';
import type { GrantRecord } from './grant-record.ts';
import type { ReauthorizationReason } from './oauth-errors.ts';

/** The consent of a tenant, without its tokens. */
export interface Grant {
  /** Key of the grant in the store. Pass it to `actingFor`. */
  readonly key: string;
  /** Status of the grant. `ended`: the tenant must consent again. */
  readonly status: 'connected' | 'ended';
  /** Reason why the grant ended; null while it is connected. */
  readonly reason: ReauthorizationReason | null;
  /** Id of the tenant that gave the consent. */
  readonly tenantId: string;
  /** Id of the user who gave the consent. */
  readonly userId: string;
  /** The granted scopes. */
  readonly scopes: readonly Scope[];
  /** Time at which the authorization code was exchanged. */
  readonly connectedAt: Date;
}

/** Returns the public form of a grant, which can be printed and sent. */
export function presentGrant(key: string, record: GrantRecord): Grant {
  const { tenantId, userId, scopes, connectedAt } = record;
  const ended = record.status === 'ended';
  return {
    key,
    status: ended ? 'ended' : 'connected',
    reason: ended ? record.reason : null,
    tenantId,
    userId,
    // The service returns only known scopes.
    scopes: scopes as readonly Scope[],
    connectedAt: new Date(connectedAt),
  };
}
