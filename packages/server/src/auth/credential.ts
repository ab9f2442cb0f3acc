import type { Scope } from '@plat/contract';

/** Who calls: what a valid bearer token stands for. */
export interface Credential {
  readonly type: 'api_key' | 'oauth_token';
  /** Id of the key, or of the grant family: what rate limits and idempotency keys are counted by. */
  readonly id: string;
  readonly tenantId: string;
  readonly tenantStatus: 'active' | 'suspended';
  /** Whether the tenant is a developer's sandbox, which can be reset under the request. */
  readonly sandbox: boolean;
  readonly scopes: readonly Scope[];
  /** The user behind it: who minted the key or gave the consent. */
  readonly userId: string;
}
