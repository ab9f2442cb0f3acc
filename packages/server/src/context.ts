import type { QuotaName } from '@plat/contract';
import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import type { Caller, Credential } from './auth/credential.ts';
import type { Change } from './change.ts';
import type { Database } from './db/database.ts';
import type { Sealer } from './kernel/seal.ts';
import type { Message } from './mail/message.ts';

/** What a service knows of the call it serves. First argument of every service function. */
export interface Context<C extends Caller = Credential> {
  readonly db: Database;
  readonly requestId: string;
  readonly tenantId: string;
  readonly credential: C;
  /** The instant of the call, in ms. */
  readonly now: number;
  readonly log: Logger;
  readonly sealer: Sealer;
  /** Where people and programs reach this server, for links: no slash at the end. */
  readonly baseUrl: string;
  /** Ranges that webhooks may reach although they are not public. */
  readonly webhookTargets: readonly string[];
  /** null outside a unit of work. */
  readonly transaction: Transaction | null;
}

/** The context inside the one transaction of a change. */
export interface WriteContext<C extends Caller = Credential> extends Context<C>, Change {
  readonly transaction: Transaction;
  /**
   * Makes sure that the tenant may have one more of these objects; call it before the insert.
   * @throws {@link ApiError} QUOTA_EXCEEDED, WEBHOOK_ENDPOINT_LIMIT
   */
  reserve(quota: QuotaName): Promise<void>;
  /** Says that rows of the queue were written beside those of {@link Change.emit}, so that the dispatcher is woken. */
  scheduled(deliveries: number): void;
  /**
   * Writes a mail about the tenant, to be sent when the transaction has committed.
   * @throws {@link ApiError} MAIL_LIMIT_REACHED
   */
  mail(message: Message): Promise<void>;
}
