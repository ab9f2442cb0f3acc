import type { AuditActorType, LoggedCredential, Scope } from '@plat/contract';

/** The caller on any surface: the subject of a valid bearer token. */
export interface Caller {
  /** Id of the API key, the access token or the grant family. Rate limits and idempotency keys are scoped to it. */
  readonly id: string;
  /** Actor that the audit trail names. */
  readonly actor: { readonly type: AuditActorType; readonly id: string };
  readonly tenantId: string;
  readonly tenantStatus: 'active' | 'suspended';
  /** True if the tenant is a developer's sandbox, which can be reset during the request. */
  readonly sandbox: boolean;
  readonly scopes: readonly Scope[];
  /** Id of the sign-in of a person; absent for a program. */
  readonly sessionId?: string | null;
  /** True if the request log of the tenant, a sandbox, keeps bodies. */
  readonly capturesBodies?: boolean;
}

/** A caller that acts for a user of its tenant: a credential of /v1, or an account that is signed in to the console. */
export interface UserCaller extends Caller {
  /** Id of the user who created the key, consented or is signed in; for a developer, of the owner of the sandbox. */
  readonly userId: string;
}

/** The caller of /v1. */
export interface Credential extends UserCaller {
  readonly type: LoggedCredential['type'];
}
