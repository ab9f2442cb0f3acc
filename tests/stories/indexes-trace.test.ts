import { newId, unitOfWork } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { insertLoggedRequests } from '../support/logged-requests.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';

/** Enough rows that a plan without an index would not be chosen by accident. */
const ROWS = 3000;

const story = useServer({ env: { PLAT_DISPATCH: 'false', PLAT_REQUEST_LOG: 'off' } });
let api: Api;
const ids: Record<string, string> = {};

beforeAll(async () => {
  const { apiKey, tenantId } = await story.server.createTenant();
  api = apiOf(story.server.baseUrl, apiKey);
  const { db } = story.server;
  const at = Date.now() - 3_600_000;
  const key = newId('api_key');
  const requests = await insertLoggedRequests(story.server, { tenantId, count: ROWS, credentials: [key], from: at });
  const endpoint = newId('webhook_endpoint');
  // One client has a tenth of all changes, and one event many deliveries.
  const busy = newId('client');
  const changed = requests.map((request_id, n) => ({ request_id, client: n % 10 ? newId('client') : busy }));
  const events = changed.map(({ request_id, client }) => {
    const [id, created] = [newId('event'), at];
    const data = { object: 'client', id: client, name: 'Acme', status: 'active', slug: 'acme', custom_domain: null };
    const stamps = { created_at: new Date(at).toISOString(), updated_at: new Date(at).toISOString() };
    const event = { id, object: 'event', type: 'client.updated', created: stamps.created_at, tenant_id: tenantId };
    const payload = JSON.stringify({ ...event, data: { ...data, ...stamps } });
    const type = 'client.updated' as const;
    return { tenant_id: tenantId, id, type, created, payload, request_id, object_id: client };
  });
  const times = { scheduled_at: at, attempted_at: at, created_at: at, updated_at: at };
  await unitOfWork(db, async (transaction) => {
    await db.models.event.bulkCreate(events, { transaction });
    await db.models.auditEvent.bulkCreate(
      changed.map(({ request_id, client }) => ({
        ...{ tenant_id: tenantId, id: newId('audit_event'), actor_type: 'api_key', actor_id: key, ip: null },
        ...{ action: 'client.updated', target_type: 'client', target_id: client, changes: null },
        ...{ request_id, created_at: at },
      })),
      { transaction },
    );
    await db.models.webhookDelivery.bulkCreate(
      events.map(({ id }, n) => ({
        ...{ tenant_id: tenantId, id: newId('webhook_delivery'), event_type: 'client.updated', endpoint_id: endpoint },
        ...{ event_id: n % 2 ? id : (events[0]?.id ?? ''), attempt: 1, status: 'succeeded', ...times },
      })),
      { transaction },
    );
  });
  if (story.database.kind !== 'sqlite') {
    await db.sequelize.query('ANALYZE TABLE requests, events, audit_events, webhook_deliveries');
  }
  const [{ id: delivery } = { id: '' }] = (await api('/v1/webhooks/deliveries?limit=1')).body.data;
  Object.assign(ids, { request: requests[20], event: events[0]?.id, client: busy, endpoint, key, delivery });
});

/** Parts that are not tables: the ranges of a statement, which SQLite reads from subqueries. */
const OF_UNION = /SCAN (?:\(subquery-\d+\)|\d+)|\{[^{}]*"table":"<union[^{}]*\}/g;

test.each(['request', 'event', 'client', 'endpoint', 'key', 'delivery'])(
  'the trace of %s reads short ranges of indexes: no full scan, no sorting, and a bounded number of statements',
  async (kind) => {
    for (const query of ['', '?limit=100', `?starting_after=${newId('audit_event')}`]) {
      let entries = 0;
      const plans = await plansOf(story.server, async () => {
        const { status, body } = await api(`/v1/trace/${ids[kind]}${query}`);
        expect(status).toBe(200);
        entries = body.entries.length;
      });
      expect(entries).toBeGreaterThan(0);
      expect(entries).toBeLessThan(2000);
      expect(plans.length).toBeLessThan(20);
      for (const [statement, plan] of plans) {
        expect(plan.replaceAll(OF_UNION, ''), statement.slice(0, 2000)).not.toMatch(BAD_PLAN);
      }
    }
  },
);

test('a part that is too large for a page is named', async () => {
  const { body } = await api(`/v1/trace/${ids['event']}`);
  expect(body.truncated).toEqual(['attempts']);
});
