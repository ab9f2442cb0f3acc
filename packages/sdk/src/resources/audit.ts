import type { AuditEvent, AuditEventListParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** The audit trail of the tenant. */
export interface Audit {
  /** Events of the audit trail. */
  readonly events: AuditEvents;
}

/** Methods for the events of the audit trail: each change with its actor and time. */
export interface AuditEvents {
  /** Lists the audit trail, newest first. Scope `audit:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: AuditEventListParams, options?: ListOptions): ListCall<AuditEvent>;
  /** Shows an audit event. Scope `audit:read`. @throws ApiError `AUDIT_EVENT_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<AuditEvent>;
}
