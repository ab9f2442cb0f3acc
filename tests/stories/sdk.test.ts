import { ApiError, Platform } from '@plat/sdk';
import { createVerifier } from '@plat/webhooks';
import { beforeAll, expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let platform: Platform;
let apiKey: string;

beforeAll(async () => {
  ({ apiKey } = await story.server.createTenant());
  platform = new Platform({ baseUrl: story.server.baseUrl, apiKey });
});

test('an integrator creates, reads, changes, lists and deletes clients', async () => {
  const me = await platform.me.get();
  expect(me.credential_type).toBe('api_key');

  const created = await platform.clients.create({ name: 'Acme', slug: 'sdk-acme' });
  expect(await platform.clients.get(created.id)).toEqual(created);
  const updated = await platform.clients.update(created.id, { domain: 'sdk.example', status: 'inactive' });
  expect(updated).toMatchObject({ custom_domain: 'sdk.example', status: 'inactive' });
  expect((await platform.clients.list({ status: 'inactive' })).data).toEqual([updated]);
  expect(await platform.clients.delete(created.id)).toEqual({ object: 'client', id: created.id, deleted: true });

  const refused = await platform.clients.get(created.id).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: 'CLIENT_NOT_FOUND', status: 404, requestId: expect.stringMatching(/^req_/) });
});

test('a list is read completely, forwards and backwards, over many pages', async () => {
  const { apiKey } = await story.server.createTenant();
  const other = new Platform({ baseUrl: story.server.baseUrl, apiKey });
  const made: string[] = [];
  for (let i = 0; i < 23; i++) made.unshift((await other.clients.create({ name: `Client ${i}` })).id);
  const seen: string[] = [];
  for await (const client of other.clients.list({ limit: 5 })) seen.push(client.id);
  expect(seen).toEqual(made);
  const back: string[] = [];
  const oldest = made.at(-1);
  if (oldest === undefined) throw new Error('clients were made');
  for await (const client of other.clients.list({ limit: 4, ending_before: oldest })) back.push(client.id);
  expect(back).toEqual(made.slice(0, -1).reverse());
});

test('a validation error names its fields', async () => {
  const refused = await platform.clients.create({ name: '', slug: 'A B' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'INVALID_BODY', errors: [{ path: 'name' }, { path: 'slug' }] });
});

test('a repeated create with the same key has one effect', async () => {
  const options = { idempotencyKey: 'sdk-once' };
  const first = await platform.clients.create({ name: 'Once' }, options);
  const again = await platform.clients.create({ name: 'Once' }, options).withMeta();
  expect(again.data).toEqual(first);
  expect(again.idempotentReplayed).toBe(true);
});

test('an endpoint that the SDK creates receives deliveries that the verifier accepts', async () => {
  const receiver = await startReceiver();
  try {
    const endpoint = await platform.webhooks.endpoints.create({ url: receiver.url, events: ['client.created'] });
    const client = await platform.clients.create({ name: 'Verified' });
    await receiver.waitFor(1);
    const [got] = receiver.received;
    const event = createVerifier({ secrets: endpoint.secret }).verify(got?.body ?? '', got?.headers ?? {});
    expect(event).toMatchObject({ type: 'client.created', data: client });
    await story.server.idle();
    const [delivery] = (await platform.webhooks.deliveries.list({ event_id: event.id })).data;
    expect(delivery).toMatchObject({ status: 'succeeded', endpoint_id: endpoint.id });
    expect(await platform.webhooks.events.get(event.id)).toEqual(event);
    const rotated = await platform.webhooks.endpoints.rotateSecret(endpoint.id, { expires_in: 60 });
    expect(rotated.secret).not.toBe(endpoint.secret);
    expect((await platform.webhooks.endpoints.delete(endpoint.id)).deleted).toBe(true);
  } finally {
    await receiver.close();
  }
});
