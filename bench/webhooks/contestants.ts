import { createHmac, timingSafeEqual } from 'node:crypto';
import { verify as octokitVerify } from '@octokit/webhooks-methods';
import { createVerifier } from '@plat/webhooks';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { Webhook as Svix } from 'svix';
import type { Contestant } from '../lib/rounds.ts';
import { callAsyncFor, callFor, type Sample } from '../lib/sample.ts';
import { type Delivery, SECRET, TENANT_ID } from './delivery.ts';

/** Names between which ratios are formed. */
export const NAMES = {
  signature: '@plat/webhooks verifySignature',
  event: '@plat/webhooks verify',
  resolverSync: '@plat/webhooks verifySync, resolver of 1,000 tenants',
  resolver: '@plat/webhooks verify, resolver of 1,000 tenants',
  list: '@plat/webhooks verify, list of 1,000 secrets',
  bare: 'createHmac + timingSafeEqual',
  bareParsed: 'the same + JSON.parse',
  stripeSignature: 'stripe verifyHeader',
  stripeEvent: 'stripe constructEvent',
} as const;

/** Our verifier, the limit and the peers, each over the bytes of the body. */
export function contestantsFor(delivery: Delivery, ms: number): Contestant<Sample>[] {
  const { body } = delivery;
  const ours = createVerifier({ secrets: SECRET });
  const tenants = new Map(Array.from({ length: 1000 }, (_, at) => [`tnt_${at}`, `whsec_${at}`]));
  tenants.set(TENANT_ID, SECRET);
  const many = createVerifier({ secrets: ({ tenantId }) => tenants.get(tenantId) });
  // The alternative to a resolver: with the right secret in the middle, half of the list is tried.
  const list = [...tenants.values()].slice(0, 1000);
  list[500] = SECRET;
  const trying = createVerifier({ secrets: list });
  const stripe = new Stripe('sk_test_x').webhooks;
  const { signature: stripeSignature } = stripe;
  if (!stripeSignature) throw new Error('stripe has no signature checks on this platform');
  const svix = new Svix(SECRET);
  const standard = new StandardWebhook(SECRET);
  const bare = (): void => {
    const digest = createHmac('sha256', SECRET).update(`${delivery.t}.`).update(body).digest();
    if (!timingSafeEqual(digest, delivery.digest)) throw new Error('the digests differ');
  };
  const sync = (name: string, call: () => unknown): Contestant<Sample> => ({
    name,
    sample: () => callFor(ms, call as () => void),
  });
  return [
    sync(NAMES.bare, bare),
    sync(NAMES.signature, () => ours.verifySignature(body, delivery.platform)),
    sync(NAMES.stripeSignature, () => stripeSignature.verifyHeader(body, delivery.stripe, SECRET)),
    {
      name: 'octokit verify',
      sample: () => callAsyncFor(ms, 1, () => mustBeTrue(octokitVerify(SECRET, body.toString(), delivery.octokit))),
    },
    sync(NAMES.bareParsed, () => {
      bare();
      return JSON.parse(body.toString());
    }),
    sync(NAMES.event, () => ours.verify(body, delivery.platform)),
    sync(NAMES.resolverSync, () => many.verifySync(body, delivery.platform)),
    { name: NAMES.resolver, sample: () => callAsyncFor(ms, 1, () => many.verify(body, delivery.platform)) },
    sync(NAMES.list, () => trying.verify(body, delivery.platform)),
    sync(NAMES.stripeEvent, () => stripe.constructEvent(body, delivery.stripe, SECRET)),
    sync('svix verify', () => svix.verify(body, delivery.svix)),
    sync('standardwebhooks verify', () => standard.verify(body, delivery.standard)),
  ];
}

async function mustBeTrue(outcome: Promise<boolean>): Promise<void> {
  if (!(await outcome)) throw new Error('a good signature was refused');
}
