import type { QuotaName } from '@plat/contract';
import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import type { Caller, UserCaller } from './auth/credential.ts';
import type { Change } from './change.ts';
import type { Database } from './db/database.ts';
import type { Sealer } from './kernel/seal.ts';
import type { Message } from './mail/message.ts';

/** Data about the call that a service function serves; its first argument. */
export interface Context<C extends Caller = UserCaller> {
  readonly db: Database;
  readonly requestId: string;
  readonly tenantId: string;
  readonly credential: C;
  /** Time of the call, in ms. */
  readonly now: number;
  readonly log: Logger;
  readonly sealer: Sealer;
  /** Public address of the server for links, without a trailing slash. */
  readonly baseUrl: string;
  /** Ranges that webhooks may reach although they are not public. */
  readonly webhookTargets: readonly string[];
  /** Null outside a unit of work. */
  readonly transaction: Transaction | null;
}

/** The part of a context that reading needs. */
export type ReadContext = Pick<Context, 'db' | 'tenantId' | 'now' | 'transaction'>;

/** The context inside the one transaction of a change. */
export interface WriteContext<C extends Caller = UserCaller> extends Context<C>, Change {
  readonly requestId: string;
  readonly transaction: Transaction;
  /**
   * Requires that the tenant, or the given owner, may have one more of these objects. Call it before the insert.
   * @throws {@link ApiError} QUOTA_EXCEEDED, WEBHOOK_ENDPOINT_LIMIT
   */
  reserve(quota: QuotaName, ownerId?: string): Promise<void>;
  /**
   * Queues a mail of the tenant, which is sent after the commit.
   * @throws {@link ApiError} MAIL_LIMIT_REACHED
   */
  mail(message: Message): Promise<void>;
}
