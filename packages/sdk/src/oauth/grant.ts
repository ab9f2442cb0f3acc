import type { Scope } from '@plat/contract';
import type { GrantRecord } from './grant-record.ts';
import type { ReauthorizationReason } from './oauth-errors.ts';

/** What is known of a tenant's consent, without its tokens. */
export interface Grant {
  /** Under which it is in the store; give it to `actingFor`. */
  readonly key: string;
  /** `ended`: only a new consent helps. */
  readonly status: 'connected' | 'ended';
  /** Why it ended; null while it has not. */
  readonly reason: ReauthorizationReason | null;
  /** Id of the tenant that gave the consent. */
  readonly tenantId: string;
  /** Who gave the consent. */
  readonly userId: string;
  /** The granted scopes. */
  readonly scopes: readonly Scope[];
  /** When the authorization code was exchanged. */
  readonly connectedAt: Date;
}

/** A grant as an app may see, print and send it. */
export function presentGrant(key: string, record: GrantRecord): Grant {
  const { tenantId, userId, scopes, connectedAt } = record;
  const ended = record.status === 'ended';
  return {
    key,
    status: ended ? 'ended' : 'connected',
    reason: ended ? record.reason : null,
    tenantId,
    userId,
    // The service names scopes of its own table.
    scopes: scopes as readonly Scope[],
    connectedAt: new Date(connectedAt),
  };
}
