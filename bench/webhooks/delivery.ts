import { createHmac } from 'node:crypto';
import { sign as octokitSign } from '@octokit/webhooks-methods';
import { signDelivery } from '@plat/webhooks';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Stripe } from 'stripe';

export const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** One body with its signatures in the formats of all peers. */
export interface Delivery {
  readonly body: Buffer;
  readonly t: string;
  /** Expected value for a receiver that implements the formula only. */
  readonly digest: Buffer;
  readonly platform: Readonly<Record<string, string>>;
  readonly stripe: string;
  readonly standard: Record<string, string>;
  readonly svix: Record<string, string>;
  readonly octokit: string;
}

/** Returns an event of about this many bytes, signed now. */
export async function makeDelivery(bytes: number): Promise<Delivery> {
  const body = eventOf(bytes);
  const timestamp = Math.floor(Date.now() / 1000);
  const t = String(timestamp);
  const id = 'msg_2b6f8b1c';
  const standard = new StandardWebhook(SECRET).sign(id, new Date(timestamp * 1000), body);
  return {
    body,
    t,
    digest: createHmac('sha256', SECRET).update(`${t}.`).update(body).digest(),
    platform: {
      'content-type': 'application/json',
      'x-platform-event': 'client.created',
      'x-platform-event-id': EVENT_ID,
      'x-platform-delivery-id': 'del_01k9zq3v5h6x8m2n4p7r9t1w3y',
      'x-platform-signature': signDelivery({ body, secrets: [SECRET], timestamp }),
    },
    stripe: new Stripe('sk_test_x').webhooks.generateTestHeaderString({
      payload: body.toString(),
      secret: SECRET,
      timestamp,
    }),
    standard: { 'webhook-id': id, 'webhook-timestamp': t, 'webhook-signature': standard },
    svix: { 'svix-id': id, 'svix-timestamp': t, 'svix-signature': standard },
    octokit: await octokitSign(SECRET, body.toString()),
  };
}

export const TENANT_ID = 'tnt_01k9zq3v5h6x8m2n4p7r9t1w3x';
const EVENT_ID = 'evt_01k9zq3v5h6x8m2n4p7r9t1w3z';

function eventOf(bytes: number): Buffer {
  const clients: unknown[] = [];
  for (;;) {
    const event = {
      id: EVENT_ID,
      object: 'event',
      type: 'client.created',
      created: '2026-07-01T09:30:00.000Z',
      tenant_id: TENANT_ID,
      data: { object: 'client', clients },
    };
    const body = Buffer.from(JSON.stringify(event));
    if (body.length >= bytes) return body;
    clients.push({
      object: 'client',
      id: `cli_01k9zq3v5h6x8m2n4p7r${String(clients.length).padStart(6, '0')}`,
      name: 'Harbour Coffee Roasters',
      status: 'active',
      slug: `harbour-coffee-${clients.length}`,
      custom_domain: null,
      created_at: '2026-07-01T09:30:00.000Z',
      updated_at: '2026-07-01T09:30:00.000Z',
    });
  }
}
