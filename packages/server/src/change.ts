import type { AuditActorType, AuditChange, EventPayloads, EventType } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { insertAuditEvent } from './db/audit.ts';
import type { Database } from './db/database.ts';
import { recordEvent } from './events/outbox/outbox.ts';
import { newId } from './kernel/ids.ts';

/** A change of a tenant's data: the one transaction with what belongs into it, whoever makes the change. */
export interface Change {
  readonly db: Database;
  readonly transaction: Transaction;
  readonly tenantId: string;
  /** The instant of the change, in ms. */
  readonly now: number;
  /** Records an event and its due deliveries, to be sent when the transaction has committed. `at`: the instant of the change. */
  emit<T extends EventType>(type: T, data: EventPayloads[T], at: number): Promise<void>;
  /** Records who changed what. */
  audit(entry: AuditEntry): Promise<void>;
}

export interface AuditEntry {
  /** The dotted verb, for example `client.created`. */
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  /** Field → before and after, as the API shows them. Never a secret. */
  readonly changes?: Readonly<Record<string, AuditChange>>;
  readonly at: number;
}

/** The author of a change, and its request. */
export interface Actor {
  readonly type: AuditActorType;
  /** null for the operator and the system. */
  readonly id: string | null;
  readonly requestId: string | null;
  readonly ip: string | null;
}

/** Changes that the operator makes by command. */
export const OPERATOR: Actor = { type: 'operator', id: null, requestId: null, ip: null };

/** Changes that the service makes by itself. */
export const SYSTEM: Actor = { type: 'system', id: null, requestId: null, ip: null };

/** A change as it goes on, with how many deliveries it has made due. */
export interface OpenChange extends Change {
  deliveries(): number;
}

/** Begins a change inside a unit of work. A run that is repeated begins anew. */
export function openChange(
  { db, tenantId, now }: Pick<Change, 'db' | 'tenantId' | 'now'>,
  transaction: Transaction,
  actor: Actor,
): OpenChange {
  let deliveries = 0;
  return {
    db,
    tenantId,
    now,
    transaction,
    deliveries: () => deliveries,
    async emit(type, data, at) {
      deliveries += await recordEvent(db, transaction, { tenantId, type, data, at });
    },
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
        request_id: actor.requestId,
        ip: actor.ip,
        created_at: at,
      });
    },
  };
}
