import type { Transaction } from 'sequelize';
import { networkOf } from '../auth/network.ts';
import type { MailLimits } from '../config/mail-limits.ts';
import type { WriteContext } from '../context.ts';
import type { Quotas } from '../db/quotas.ts';
import type { Sealer } from '../kernel/seal.ts';
import { queueMail } from '../mail/queue-mail.ts';

/** Services that limit the objects and mails of a change, and seal its mails. */
export interface LimitServices {
  readonly quotas: Quotas;
  readonly mailLimits: MailLimits;
  readonly sealer: Sealer;
}

/** The caller of a change. */
interface Changer {
  readonly sandbox: boolean;
  readonly ip: string | null;
}

/** Returns the functions of a change that check quotas and queue mail. */
export function reserveAndMail(
  { quotas, mailLimits: limits, sealer }: LimitServices,
  { db, tenantId, now, transaction }: Pick<WriteContext, 'db' | 'tenantId' | 'now'> & { transaction: Transaction },
  { sandbox, ip }: Changer,
): Pick<WriteContext, 'reserve' | 'mail'> {
  return {
    reserve: (quota, ownerId = tenantId) => quotas.reserve({ db, tenantId: ownerId, transaction, sandbox }, quota),
    async mail(message) {
      const network = ip === null ? null : networkOf(ip);
      await queueMail(db, transaction, { ...message, sealer, limits, tenantId, network, now });
    },
  };
}
