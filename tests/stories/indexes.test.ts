import { newId, unitOfWork } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';

const eventOf = (tenantId: string, id: string, type: string) => {
  const at = '2026-01-01T00:00:00.000Z';
  const client = { id: newId('client'), name: 'Acme', status: 'active', slug: 'acme', custom_domain: null };
  const data = { object: 'client', ...client, created_at: at, updated_at: at };
  return JSON.stringify({ id, object: 'event', type, created: at, tenant_id: tenantId, data });
};

/** Enough rows that a plan without an index would not be chosen by accident. */
const ROWS = 3000;

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let api: Api;
let clients: string[];

beforeAll(async () => {
  const { apiKey, tenantId } = await story.server.createTenant();
  api = apiOf(story.server.baseUrl, apiKey);
  const { body: endpoint } = await api('/v1/webhooks/endpoints', {
    body: { url: 'https://example.com/', events: ['*'] },
  });
  const { db } = story.server;
  const at = Date.now();
  clients = Array.from({ length: ROWS }, () => newId('client'));
  const rows = clients.map((id, i) => ({ tenant_id: tenantId, id, created_at: at, updated_at: at, i }));
  await unitOfWork(db, async (transaction) => {
    await db.models.client.bulkCreate(
      rows.map(({ i, ...row }) => ({
        ...row,
        name: `Client ${i}`,
        slug: `c-${i}`,
        status: i % 10 ? 'active' : 'inactive',
        custom_domain: null,
      })),
      { transaction },
    );
    const events = rows.map(() => newId('event'));
    await db.models.event.bulkCreate(
      events.map((id, i) => {
        const type = i % 10 ? 'client.updated' : 'client.created';
        return { tenant_id: tenantId, id, type, created: at, payload: eventOf(tenantId, id, type) };
      }),
      { transaction },
    );
    await db.models.webhookDelivery.bulkCreate(
      events.map((event_id, i) => ({
        tenant_id: tenantId,
        id: newId('webhook_delivery'),
        event_id,
        event_type: 'client.updated',
        endpoint_id: i % 10 ? newId('webhook_endpoint') : endpoint.id,
        attempt: 1,
        status: i % 10 ? 'succeeded' : 'failed',
        queue_shard: null,
        scheduled_at: at,
        attempted_at: at,
        response_status: 200,
        response_body: null,
        error: null,
        duration_ms: 1,
        error_class: null,
        dns_ms: null,
        connect_ms: null,
        tls_ms: null,
        first_byte_ms: 1,
        remote_address: '192.0.2.1',
        response_headers: null,
        created_at: at,
        updated_at: at,
      })),
      { transaction },
    );
  });
  if (story.database.kind !== 'sqlite') {
    await db.sequelize.query('ANALYZE TABLE clients, events, webhook_deliveries, webhook_endpoints');
  }
});

test.each([
  ['the first page', () => '/v1/clients?limit=20'],
  ['a page in the middle', () => `/v1/clients?limit=20&starting_after=${clients[ROWS / 2]}`],
  ['the last page', () => `/v1/clients?limit=20&starting_after=${clients[19]}`],
  ['a page backwards', () => `/v1/clients?limit=20&ending_before=${clients[100]}`],
  ['a slug', () => '/v1/clients?slug=c-1000'],
  ['a status', () => '/v1/clients?status=inactive'],
  ['one client', () => `/v1/clients/${clients[5]}`],
  ['events', () => '/v1/webhooks/events'],
  ['events of a type', () => '/v1/webhooks/events?type=client.deleted'],
  ['events of a time', () => '/v1/webhooks/events?created_after=2030-01-01T00:00:00Z'],
  ['deliveries', () => '/v1/webhooks/deliveries'],
  ['deliveries of an event', () => '/v1/webhooks/deliveries?event_id=evt_01hzzzzzzzzzzzzzzzzzzzzzzz'],
  ['deliveries of an endpoint', () => '/v1/webhooks/deliveries?endpoint_id=whe_01hzzzzzzzzzzzzzzzzzzzzzzz'],
  ['deliveries of a status', () => '/v1/webhooks/deliveries?status=retrying'],
  ['endpoints', () => '/v1/webhooks/endpoints'],
])('%s reads an index in its order: no full scan, no sorting', async (_title, path) => {
  const plans = await plansOf(story.server, async () => {
    expect([200, 404]).toContain((await api(path())).status);
  });
  // The credential, the page, and before it the end of a page whose conditions no index serves.
  const isBounded = path().includes('retrying');
  expect(plans).toHaveLength(isBounded ? 3 : 2);
  for (const [statement, plan] of plans) expect(plan, statement).not.toMatch(BAD_PLAN);
});
