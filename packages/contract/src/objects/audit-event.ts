import type { ListParams } from './list.ts';

/** Kinds of whoever changes something. */
export const AUDIT_ACTOR_TYPES = ['api_key', 'oauth_app', 'user', 'developer', 'operator', 'system'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];

/** What was changed, by whom. */
export interface AuditEvent {
  readonly object: 'audit_event';
  readonly id: string;
  /** `id` is null for the operator and the system, who have none. */
  readonly actor: { readonly type: AuditActorType; readonly id: string | null };
  /** The dotted verb, for example `client.updated`. */
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  /** Field → its value before and after; null where the action says it all. Never holds a secret. */
  readonly changes: Readonly<Record<string, AuditChange>> | null;
  /** The request that made the change; null for the operator and the system. */
  readonly request_id: string | null;
  readonly ip: string | null;
  readonly created_at: string;
}

/** Values of a field as the API shows them. */
export interface AuditChange {
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditEventListParams extends ListParams {
  readonly action?: string;
  readonly actor_id?: string;
  readonly target_id?: string;
  /** ISO 8601; only events created after this instant. */
  readonly created_after?: string;
  /** ISO 8601; only events created before this instant. */
  readonly created_before?: string;
}
