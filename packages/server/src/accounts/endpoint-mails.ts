import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import type { MailLimits } from '../config/mail-limits.ts';
import type { Database } from '../db/database.ts';
import type { EndpointNotice } from '../events/endpoints/endpoint-health.ts';
import { isoTime } from '../kernel/clock.ts';
import { isMailAddress } from '../kernel/mail-address.ts';
import type { Sealer } from '../kernel/seal.ts';
import { isMailLimitReached } from '../mail/count-mail.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { utcMinute } from './invitations.ts';

export interface NoticeServices {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  readonly limits: MailLimits;
}

/**
 * Mails the active owners of a tenant that an endpoint is failing or disabled, in the transaction of the change. The
 * change must not fail: an address that mail cannot be sent to is skipped. A mail over a limit is dropped and logged.
 */
export async function mailEndpointNotice(
  { db, sealer, log, limits }: NoticeServices,
  transaction: Transaction,
  notice: EndpointNotice,
): Promise<void> {
  const { kind, tenantId, endpointId, now } = notice;
  const owners = await db.models.user.findAll({
    attributes: ['email'],
    where: { tenant_id: tenantId, role: 'owner', status: 'active' },
    order: ['id'],
    transaction,
    raw: true,
  });
  const isDisabled = kind === 'disabled';
  // The host of the URL is only in the text: a subject contains no text that the tenant chose.
  const subject = `Webhook endpoint ${isDisabled ? 'disabled' : 'failing'}: ${endpointId}`;
  const text = isDisabled ? disabledText(notice) : failingText(notice);
  for (const { email: to } of owners.filter(({ email }) => isMailAddress(email))) {
    const mail = { kind: `webhook_endpoint_${kind}`, to, subject, text, sealer, limits, tenantId, network: null, now };
    await queueMail(db, transaction, mail).catch((error: unknown) => {
      if (!isMailLimitReached(error)) throw error;
      log.warn({ tenant: tenantId, endpoint: endpointId, kind: mail.kind }, 'a mail was dropped: mail limit reached');
    });
  }
}

function disabledText(notice: EndpointNotice): string {
  const { endpointId, missedSince, now } = notice;
  return `This webhook endpoint was disabled at ${utcMinute(now)}. It receives no more events.

${factsOf(notice)}

When your receiver works again, enable the endpoint and send the missed events again:

  plat webhooks endpoints update ${endpointId} --status enabled
  plat webhooks replays create --endpoint-id ${endpointId} --since ${isoTime(missedSince ?? now)}

Events are kept for 30 days. If you no longer need the endpoint, delete it: plat webhooks endpoints delete ${endpointId}
`;
}

function failingText(notice: EndpointNotice): string {
  return `Every attempt to deliver to this webhook endpoint has failed for more than a day. The platform keeps trying. If the
attempts fail for several days, it disables the endpoint.

${factsOf(notice)}

Results of the attempts:

  plat webhooks deliveries list --endpoint-id ${notice.endpointId}
`;
}

function factsOf({ endpointId, url, reason, failingSince, lastFailure }: EndpointNotice): string {
  return [
    `Endpoint: ${url} (${endpointId})`,
    ...(reason === null ? [] : [`Reason: ${reason}`]),
    `Failing since: ${utcMinute(failingSince)}`,
    `Last failure: ${lastFailure}`,
  ].join('\n');
}
