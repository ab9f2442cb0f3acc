import { createServer } from 'node:http';
import { Platform } from '@plat/sdk';
import { createDedupe } from '@plat/webhooks';
import { expressWebhook } from '@plat/webhooks/express';

/*
 * The program under test: it creates a client for each customer who signs up, and welcomes the customer when the event
 * arrives. The SDK reads PLAT_BASE_URL and PLAT_API_KEY.
 */

const platform = new Platform();

/** Creates the client of a customer. The order is its idempotency key: a repeated sign-up creates nothing. */
export function signUp({ order, name }) {
  return platform.clients.create({ name }, { idempotencyKey: `sign-up-${order}` });
}

/** Returns a server that calls `welcome` once for each new client. */
export function createReceiver(secret, welcome) {
  const receive = expressWebhook({ secrets: secret, dedupe: createDedupe() }, async (event) => {
    if (event.type === 'client.created') await welcome(event.data);
  });
  return createServer(receive);
}
