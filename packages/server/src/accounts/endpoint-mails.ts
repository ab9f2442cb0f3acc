import { isId } from '@plat/contract';
import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import type { MailLimits } from '../config/mail-limits.ts';
import type { Database } from '../db/database.ts';
import { developerOf } from '../db/owners.ts';
import type { EndpointNotice } from '../events/endpoints/endpoint-health.ts';
import { isoTime } from '../kernel/clock.ts';
import { isMailAddress } from '../kernel/mail-address.ts';
import type { Sealer } from '../kernel/seal.ts';
import { isMailLimitReached, uncountMail } from '../mail/count-mail.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { utcMinute } from './invitations.ts';

export interface NoticeServices {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  readonly limits: MailLimits;
}

/**
 * Mails the active owners of a tenant, or the developer of an app, that an endpoint is failing or disabled, in the
 * transaction of the change. The change must not fail: an address that mail cannot be sent to is skipped. A mail over a
 * limit is dropped and logged.
 */
export async function mailEndpointNotice(
  { db, sealer, log, limits }: NoticeServices,
  transaction: Transaction,
  notice: EndpointNotice,
): Promise<void> {
  const { kind, tenantId: ownerId, endpointId, now } = notice;
  const { tenantId, addresses } = await recipientsOf(db, transaction, ownerId);
  const isDisabled = kind === 'disabled';
  // The host of the URL is only in the text: a subject contains no text that the tenant chose.
  const subject = `Webhook endpoint ${isDisabled ? 'disabled' : 'failing'}: ${endpointId}`;
  const text = isDisabled ? disabledText(notice) : failingText(notice);
  for (const to of addresses.filter(isMailAddress)) {
    const mail = { kind: `webhook_endpoint_${kind}`, to, subject, text, sealer, limits, tenantId, network: null, now };
    await queueMail(db, transaction, mail).catch(async (error: unknown) => {
      if (!isMailLimitReached(error)) throw error;
      await uncountMail(db, transaction, limits, mail);
      log.warn({ tenant: tenantId, endpoint: endpointId, kind: mail.kind }, 'a mail was dropped: mail limit reached');
    });
  }
}

/** Returns the owners of a tenant, or the developer of an app, with the tenant whose mail limits count. */
async function recipientsOf(
  db: Database,
  transaction: Transaction,
  ownerId: string,
): Promise<{ readonly tenantId: string; readonly addresses: readonly string[] }> {
  const developer = await developerOf(db, ownerId, transaction);
  if (developer) return { tenantId: developer.tenant_id, addresses: [developer.email] };
  const owners = await db.models.user.findAll({
    attributes: ['email'],
    where: { tenant_id: ownerId, role: 'owner', status: 'active' },
    order: ['id'],
    transaction,
    raw: true,
  });
  return { tenantId: ownerId, addresses: owners.map(({ email }) => email) };
}

/** Returns the begin of the commands for the endpoints of an owner, and the argument that they have in common. */
function commandsOf({ tenantId: ownerId }: EndpointNotice): { readonly plat: string; readonly owner: string } {
  return isId('app', ownerId)
    ? { plat: 'plat apps webhooks', owner: ` ${ownerId}` }
    : { plat: 'plat webhooks', owner: '' };
}

function disabledText(notice: EndpointNotice): string {
  const { endpointId, missedSince, now } = notice;
  const { plat, owner } = commandsOf(notice);
  return `This webhook endpoint was disabled at ${utcMinute(now)}. It receives no more events.

${factsOf(notice)}

When your receiver works again, enable the endpoint and send the missed events again:

  ${plat} endpoints update${owner} ${endpointId} --status enabled
  ${plat} replays create${owner} --endpoint-id ${endpointId} --since ${isoTime(missedSince ?? now)}

Events are kept for 30 days. If you no longer need the endpoint, delete it: ${plat} endpoints delete${owner} ${endpointId}
`;
}

function failingText(notice: EndpointNotice): string {
  const { plat, owner } = commandsOf(notice);
  return `Every attempt to deliver to this webhook endpoint has failed for more than a day. The platform keeps trying. If the
attempts fail for several days, it disables the endpoint.

${factsOf(notice)}

Results of the attempts:

  ${plat} deliveries list${owner} --endpoint-id ${notice.endpointId}
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
