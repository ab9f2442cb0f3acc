import { HEADERS } from '@plat/contract';
import { verify } from '@plat/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let receiver: Receiver;
let api: Api;
let endpoint: { id: string; secret: string };
let eventId: string;

beforeAll(async () => {
  receiver = await startReceiver();
  api = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  endpoint = (await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } })).body;
  await api('/v1/clients', { body: { name: 'Once' } });
  await receiver.waitFor(1);
  [{ id: eventId }] = (await api('/v1/webhooks/events')).body.data;
});
afterAll(() => receiver.close());

const replay = (body: object = {}, id = eventId) => api(`/v1/webhooks/events/${id}/replay`, { body });

test('a replay sends the same event again: attempt 1, with a new id and signature, and the history is kept', async () => {
  await story.server.idle();
  const { body: before } = await api('/v1/webhooks/deliveries');
  const { status, body } = await replay();
  expect(status).toBe(202);
  expect(body).toMatchObject({
    object: 'list',
    has_more: false,
    url: `/v1/webhooks/events/${eventId}/replay`,
    data: [{ event_id: eventId, endpoint_id: endpoint.id, attempt: 1, status: 'pending' }],
  });
  await receiver.waitFor(2);
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers[HEADERS.deliveryId]).toBe(body.data[0].id);
  expect(verify(second?.body ?? '', second?.headers ?? {}, { secrets: endpoint.secret }).id).toBe(eventId);
  await story.server.idle();
  const { body: after } = await api('/v1/webhooks/deliveries');
  expect(after.data.slice(1)).toEqual(before.data);
  expect(after.data[0]).toMatchObject({ id: body.data[0].id, status: 'succeeded' });
  expect((await api('/v1/audit/events?limit=1')).body.data).toMatchObject([
    {
      action: 'event.replayed',
      target: { type: 'event', id: eventId },
      changes: { endpoint_ids: { after: [endpoint.id] } },
    },
  ]);
});

test('a replay goes to one endpoint if named, and without a body to all enabled ones that receive the type', async () => {
  const url = `${receiver.url}/second`;
  const { body: second } = await api('/v1/webhooks/endpoints', { body: { url, events: ['*'] } });
  expect((await replay({ endpoint_id: second.id })).body.data).toMatchObject([{ endpoint_id: second.id }]);
  const all = await api(`/v1/webhooks/events/${eventId}/replay`, { method: 'POST' });
  expect(all.body.data.map((delivery: { endpoint_id: string }) => delivery.endpoint_id).sort()).toEqual(
    [endpoint.id, second.id].sort(),
  );
  await api(`/v1/webhooks/endpoints/${second.id}`, { method: 'PATCH', body: { status: 'disabled' } });
  expect((await replay()).body.data).toMatchObject([{ endpoint_id: endpoint.id }]);
  await api(`/v1/webhooks/endpoints/${second.id}`, { method: 'DELETE' });
});

test('an endpoint that is disabled or unknown is refused', async () => {
  const body = { url: `${receiver.url}/third`, events: ['user.invited'] };
  const { body: third } = await api('/v1/webhooks/endpoints', { body });
  expectRefusal(await replay({ endpoint_id: third.id }), 'UNPROCESSABLE');
  await api(`/v1/webhooks/endpoints/${third.id}`, { method: 'PATCH', body: { status: 'disabled', events: ['*'] } });
  expectRefusal(await replay({ endpoint_id: third.id }), 'UNPROCESSABLE');
  const missing = 'whe_01hzzzzzzzzzzzzzzzzzzzzzzz';
  expectRefusal(await replay({ endpoint_id: missing }), 'WEBHOOK_ENDPOINT_NOT_FOUND');
  expectRefusal(await replay({ endpoint_id: 'x' }), 'INVALID_BODY', ['endpoint_id']);
  expectRefusal(await replay({}, 'evt_01hzzzzzzzzzzzzzzzzzzzzzzz'), 'WEBHOOK_EVENT_NOT_FOUND');
});
