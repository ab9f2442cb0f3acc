import type {
  AppEventPayloads,
  AppEventType,
  AuditActorType,
  AuditChange,
  EventPayloads,
  EventType,
} from '@plat/contract';
import type { Transaction } from 'sequelize';
import { insertAuditEvent } from './db/audit.ts';
import type { Database } from './db/database.ts';
import { recordAppEvent, recordEvent } from './events/outbox/outbox.ts';
import { newId } from './kernel/ids.ts';

/** A change of a tenant's data by any actor: its transaction, events and audit entries. */
export interface Change {
  readonly db: Database;
  readonly transaction: Transaction;
  readonly tenantId: string;
  /** The actor of the change. */
  readonly actor: Pick<Actor, 'type' | 'id'>;
  /** Time of the change, in ms. */
  readonly now: number;
  /** Null for the operator and the system. */
  readonly requestId: string | null;
  /** Records an event and its due deliveries, which are sent after the commit. `at` is the time of the change. */
  emit<T extends EventType>(type: T, data: EventPayloads[T], at: number): Promise<void>;
  /** Records an event of an app about the tenant of the change, for the app's own endpoints. */
  emitToApp<T extends AppEventType>(appId: string, type: T, data: AppEventPayloads[T], at: number): Promise<void>;
  /** Records the actor and the changed fields. */
  audit(entry: AuditEntry): Promise<void>;
}

export interface AuditEntry {
  /** Dotted verb, for example `client.created`. */
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  /** Field → before and after, as the API presents them. Never contains a secret. */
  readonly changes?: Readonly<Record<string, AuditChange>>;
  readonly at: number;
}

/** The actor of a change, and its request. */
export interface Actor {
  readonly type: AuditActorType;
  /** Null for the operator and the system. */
  readonly id: string | null;
  readonly requestId: string | null;
  readonly ip: string | null;
  /** Id of the sign-in of a person; absent for others. */
  readonly sessionId?: string | null;
}

/** Actor of changes by operator commands. */
export const OPERATOR: Actor = { type: 'operator', id: null, requestId: null, ip: null };

/** Actor of changes by the service itself. */
export const SYSTEM: Actor = { type: 'system', id: null, requestId: null, ip: null };

/** Begins a change inside a unit of work. A repeated run begins a new change. */
export function openChange(
  { db, tenantId, now }: Pick<Change, 'db' | 'tenantId' | 'now'>,
  transaction: Transaction,
  actor: Actor,
): Change {
  const { requestId } = actor;
  return {
    db,
    tenantId,
    actor: { type: actor.type, id: actor.id },
    now,
    transaction,
    requestId,
    emit: (type, data, at) => recordEvent(db, transaction, { tenantId, type, data, at, requestId }),
    emitToApp: (appId, type, data, at) =>
      recordAppEvent(db, transaction, { appId, tenantId, type, data, at, requestId }),
    async audit({ action, target, changes, at }) {
      await insertAuditEvent(db, transaction, {
        tenant_id: tenantId,
        id: newId('audit_event', at),
        actor_type: actor.type,
        actor_id: actor.id,
        action,
        target_type: target.type,
        target_id: target.id,
        changes: changes ? JSON.stringify(changes) : null,
        request_id: requestId,
        session_id: actor.sessionId ?? null,
        ip: actor.ip,
        created_at: at,
      });
    },
  };
}
