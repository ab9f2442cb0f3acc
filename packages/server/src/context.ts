import type { EventPayloads, EventType } from '@plat/contract';
import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import type { Credential } from './auth/credential.ts';
import type { Database } from './db/database.ts';
import type { Sealer } from './kernel/seal.ts';

/** What a service knows of the call it serves. First argument of every service function. */
export interface Context {
  readonly db: Database;
  readonly requestId: string;
  readonly tenantId: string;
  readonly credential: Credential;
  /** The instant of the call, in ms. */
  readonly now: number;
  readonly log: Logger;
  readonly sealer: Sealer;
  /** Ranges that webhooks may reach although they are not public. */
  readonly webhookTargets: readonly string[];
  /** null outside a unit of work. */
  readonly transaction: Transaction | null;
}

/** The context inside the one transaction of a change. */
export interface WriteContext extends Context {
  readonly transaction: Transaction;
  /** Records an event and its due deliveries, to be sent when the transaction has committed. `at`: the instant of the change. */
  emit<T extends EventType>(type: T, data: EventPayloads[T], at: number): Promise<void>;
  /** Records who changed what. */
  audit(entry: AuditEntry): Promise<void>;
}

export interface AuditEntry {
  /** The dotted verb, for example `client.created`. */
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  /** Field → before and after. Never a secret. */
  readonly changes?: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  readonly at: number;
}
