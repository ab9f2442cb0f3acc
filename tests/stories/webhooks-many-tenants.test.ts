import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signDelivery, type WebhookError } from '@plat/webhooks';
import { expressWebhook } from '@plat/webhooks/express';
import { afterEach, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

type Secrets = Parameters<typeof expressWebhook>[0]['secrets'];

/** A receiver for many tenants, with the events that it handled and refused. */
async function startReceiver(secrets: Secrets) {
  const handled: { tenant: string; secret: string | undefined }[] = [];
  const refused: string[] = [];
  const server = createServer(
    expressWebhook({ secrets, onError: (error) => refused.push((error as WebhookError).code) }, (event, { secret }) => {
      handled.push({ tenant: event.tenant_id, secret: secret.id });
    }),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, handled, refused };
}

/** A tenant whose endpoint sends to the receiver. */
async function subscribe(url: string) {
  const tenant = await story.server.createTenant();
  const api = apiOf(story.server.baseUrl, tenant.apiKey);
  const { body } = await api('/v1/webhooks/endpoints', { body: { url, events: ['client.created'] } });
  return { id: tenant.tenantId, api, secret: String(body.secret), endpointId: String(body.id) };
}

/** A tenant's attack with its own secret: it signs an event that names another tenant. */
async function forge(url: string, victim: string, secret: string): Promise<Response> {
  const event = {
    id: 'evt_forged',
    object: 'event',
    type: 'client.deleted',
    created: new Date().toISOString(),
    tenant_id: victim,
    data: { object: 'client', id: 'cli_of_the_victim' },
  };
  const body = JSON.stringify(event);
  const signature = signDelivery({ body, secrets: [secret], timestamp: Math.floor(Date.now() / 1000) });
  return await fetch(url, { method: 'POST', body, headers: { 'x-platform-signature': signature } });
}

test('a receiver for many tenants accepts the deliveries of each, with one look-up, and no event that another tenant signed', async () => {
  const known = new Map<string, { secret: string; id: string }>();
  let lookUps = 0;
  const receiver = await startReceiver(async ({ tenantId }) => {
    lookUps += 1;
    return known.get(tenantId);
  });
  const [attacker, victim] = [await subscribe(receiver.url), await subscribe(receiver.url)];
  for (const { id, secret, endpointId } of [attacker, victim]) known.set(id, { secret, id: endpointId });
  for (const { api } of [attacker, victim]) await api('/v1/clients', { body: { name: 'Acme' } });
  await expect
    .poll(() => [...receiver.handled].sort((a, b) => a.tenant.localeCompare(b.tenant)))
    .toEqual(
      [attacker, victim]
        .map(({ id, endpointId }) => ({ tenant: id, secret: endpointId }))
        .sort((a, b) => a.tenant.localeCompare(b.tenant)),
    );
  expect(lookUps).toBe(2);

  expect((await forge(receiver.url, victim.id, attacker.secret)).status).toBe(400);
  expect(receiver.refused).toEqual(['SIGNATURE_MISMATCH']);
  expect((await forge(receiver.url, attacker.id, attacker.secret)).status).toBe(200);
  expect(receiver.handled).toHaveLength(3);
});

test('entries that name their tenant refuse the same forgery', async () => {
  const [attacker, victim] = [await subscribe('https://example.com/a'), await subscribe('https://example.com/b')];
  const bound = await startReceiver([attacker, victim].map(({ id, secret }) => ({ secret, tenantId: id })));
  expect((await forge(bound.url, victim.id, attacker.secret)).status).toBe(400);
  expect(bound.refused).toEqual(['TENANT_MISMATCH']);
  expect((await forge(bound.url, victim.id, victim.secret)).status).toBe(200);
});
