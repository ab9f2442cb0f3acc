import { HEADERS } from '@plat/contract';
import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/api.ts';
import { startReceiver } from '../support/receiver.ts';
import { useTwoServers } from '../support/two-servers.ts';

const { at, race } = useTwoServers();

describe('races between two processes', () => {
  test('of many creates of one slug exactly one wins; the others are SLUG_IN_USE', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await race(10, (api) => api('/v1/clients', { body: { name: 'Race', slug: `race-${round}` } }));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) expectRefusal(answer, 'SLUG_IN_USE');
    }
  });

  test('of many creates of one name without a slug all win, each with a different slug', async () => {
    const answers = await race(20, (api) => api('/v1/clients', { body: { name: 'Same name' } }));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(20);
  });

  test('of many claims of one domain exactly one wins', async () => {
    const made = await race(6, (api, i) => api('/v1/clients', { body: { name: `D${i}` } }));
    const answers = await race(6, (api, i) =>
      api(`/v1/clients/${made[i]?.body.id}`, { method: 'PATCH', body: { domain: 'race.example' } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 'DOMAIN_IN_USE');
  });

  test('many changes of one client all count, each with a different timestamp', async () => {
    const { body: client } = await at(0)('/v1/clients', { body: { name: 'Busy' } });
    const answers = await race(20, (api, i) =>
      api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name: `Busy ${i}` } }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.updated_at)).size).toBe(20);
    const last = answers.map(({ body }) => body).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0];
    expect((await at(1)(`/v1/clients/${client.id}`)).body).toEqual(last);
  });

  test('of many deletes of one client exactly one deletes', async () => {
    const { body: client } = await at(0)('/v1/clients', { body: { name: 'Doomed' } });
    const answers = await race(10, (api) => api(`/v1/clients/${client.id}`, { method: 'DELETE' }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 'CLIENT_NOT_FOUND');
  });

  test('of many creates of one endpoint URL exactly one wins', async () => {
    const body = { url: 'https://example.com/race', events: ['*'] };
    const answers = await race(10, (api) => api('/v1/webhooks/endpoints', { body }));
    const [winner, ...more] = answers.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectRefusal(answer, 'WEBHOOK_URL_IN_USE');
    await at(0)(`/v1/webhooks/endpoints/${winner?.body.id}`, { method: 'DELETE' });
  });

  test('an Idempotency-Key used at both at once has one effect', async () => {
    const headers = { [HEADERS.idempotencyKey]: 'both' };
    const answers = await race(10, (api) => api('/v1/clients', { body: { name: 'Idempotent' }, headers }));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThanOrEqual(1);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectRefusal(answer, 'IDEMPOTENCY_KEY_IN_USE');
  });
});

test('events written by both are delivered once each, by either process', async () => {
  const receiver = await startReceiver();
  try {
    const { body: endpoint } = await at(0)('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['*'] } });
    const made = await race(100, (api, i) => api('/v1/clients', { body: { name: `Sent ${i}` } }));
    await receiver.waitFor(100);
    const pending = async () =>
      (await at(1)(`/v1/webhooks/deliveries?status=pending&endpoint_id=${endpoint.id}`)).body.data.length;
    await expect.poll(pending).toBe(0);
    expect(receiver.received).toHaveLength(100);
    const sent = receiver.received.map(({ body }) => JSON.parse(body).data.id);
    expect(sent.sort()).toEqual(made.map(({ body }) => body.id).sort());
  } finally {
    await receiver.close();
  }
});
