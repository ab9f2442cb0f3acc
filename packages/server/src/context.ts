import type { QuotaName } from '@plat/contract';
import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import type { Caller, Credential } from './auth/credential.ts';
import type { Change } from './change.ts';
import type { Database } from './db/database.ts';
import type { Sealer } from './kernel/seal.ts';
import type { Message } from './mail/message.ts';

/** Data about the call that a service function serves; its first argument. */
export interface Context<C extends Caller = Credential> {
  readonly db: Database;
  readonly requestId: string;
  readonly tenantId: string;
  readonly credential: C;
  /** The instant of the call, in ms. */
  readonly now: number;
  readonly log: Logger;
  readonly sealer: Sealer;
  /** Public address of the server, for links, without a slash at the end. */
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
