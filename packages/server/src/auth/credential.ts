import type { AuditActorType, Scope } from '@plat/contract';

/** Who calls, on whichever surface: what a valid bearer token stands for. */
export interface Caller {
  /** Id of the key, the token, or the grant family: what rate limits and idempotency keys are counted by. */
  readonly id: string;
  /** Whom the audit trail names. */
  readonly actor: { readonly type: AuditActorType; readonly id: string };
  readonly tenantId: string;
  readonly tenantStatus: 'active' | 'suspended';
  /** Whether the tenant is a developer's sandbox, which can be reset under the request. */
  readonly sandbox: boolean;
  readonly scopes: readonly Scope[];
}

/** Who calls /v1. */
export interface Credential extends Caller {
  readonly type: 'api_key' | 'oauth_token';
  /** The user behind it: who minted the key or gave the consent. */
  readonly userId: string;
}
