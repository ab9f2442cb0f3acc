import type { ServerResponse } from 'node:http';
import { LIMITS } from '@plat/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

const ENDPOINTS = LIMITS.quotas.webhook_endpoints.sandbox;
const story = useServer({ env: { PLAT_SANDBOX_QUOTAS: '' } });
let victim: Receiver;
let other: Receiver;

beforeAll(async () => {
  [victim, other] = [await startReceiver(), await startReceiver()];
});
afterAll(() => Promise.all([victim.close(), other.close()]));

const apiOfSandbox = async (): Promise<Api> => apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
const endpoint = (api: Api, url: string) =>
  api('/v1/webhooks/endpoints', { body: { url, events: ['client.created'] } });
const createClients = async (api: Api, count: number) => {
  for (let i = 0; i < count; i++) expect((await api('/v1/clients', { body: { name: 'Acme' } })).status).toBe(201);
};

test('sandboxes that name one host in all their endpoints send it few deliveries at once, and delay no other host', async () => {
  const held: ServerResponse[] = [];
  let most = 0;
  victim.answer((_req, res) => {
    held.push(res);
    most = Math.max(most, held.length);
  });
  const sandboxes = [await apiOfSandbox(), await apiOfSandbox(), await apiOfSandbox()];
  for (const api of sandboxes) {
    for (let n = 0; n < ENDPOINTS; n++) expect((await endpoint(api, `${victim.url}/?n=${n}`)).status).toBe(201);
    expectRefusal(await endpoint(api, `${victim.url}/?n=${ENDPOINTS}`), 'WEBHOOK_ENDPOINT_LIMIT');
    await createClients(api, 12);
  }
  await victim.waitFor(8);
  const neighbour = await apiOfSandbox();
  await endpoint(neighbour, `${other.url}/`);
  await createClients(neighbour, 5);
  await other.waitFor(5);
  expect(held).toHaveLength(8);

  const total = sandboxes.length * ENDPOINTS * 12;
  while (victim.received.length < total) {
    const { length } = victim.received;
    for (const res of held.splice(0)) res.writeHead(204).end();
    await victim.waitFor(Math.min(length + 1, total));
  }
  for (const res of held.splice(0)) res.writeHead(204).end();
  await story.server.idle();
  expect(victim.received).toHaveLength(total);
  expect(most).toBeLessThanOrEqual(8);
});
