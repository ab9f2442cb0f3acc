import { captureStatements, newId, select, unitOfWork } from '@plat/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { insertUnsentEvents, replayAll } from '../support/replays.ts';
import { useServer } from '../support/story.ts';

/** Enough rows that a plan without an index would not be chosen by accident. */
const ROWS = 8000;
const AT = Date.now() - 3_600_000;

const story = useServer();
let receiver: Receiver;
let api: Api;
let endpointId: string;
let replays: readonly string[];

beforeAll(async () => {
  receiver = await startReceiver();
  const { apiKey, tenantId } = await story.server.createTenant();
  api = apiOf(story.server.baseUrl, apiKey);
  const body = { url: receiver.url, events: ['client.created'] };
  endpointId = (await api('/v1/webhooks/endpoints', { body })).body.id;
  const at = Array.from({ length: ROWS }, (_, n) => AT + n);
  const events = await insertUnsentEvents(story.server, { tenantId, at });
  await insertUnsentEvents(story.server, { tenantId, at, type: 'client.updated' });
  const { db } = story.server;
  const instants = { scheduled_at: AT, created_at: AT, updated_at: AT };
  const deliveries = events.map((event_id, n) => ({
    ...{ tenant_id: tenantId, id: newId('webhook_delivery', AT), event_id, event_type: 'client.created', attempt: 1 },
    // Every other event was delivered to the endpoint itself, and a few deliveries failed there.
    ...{ endpoint_id: n % 2 ? endpointId : newId('webhook_endpoint', AT), queue_shard: null, ...instants },
    status: n % 100 === 1 ? 'failed' : 'succeeded',
  }));
  const ended = Array.from({ length: ROWS }, (_, n) => ({
    ...{ tenant_id: tenantId, id: newId('webhook_replay', AT), selection: 'failed', since_at: AT, until_at: AT },
    ...{ endpoint_id: n % 10 ? null : endpointId, event_types: null, walks: '[]', turn: 1, due_at: null },
    ...{ status: n % 10 ? 'completed' : 'canceled', examined_count: 0, scheduled_count: 0, total_count: 0 },
    ...{ completed_at: AT, created_at: AT, updated_at: AT },
  }));
  replays = ended.map(({ id }) => id);
  await unitOfWork(db, async (transaction) => {
    const queries = db.sequelize.getQueryInterface();
    await queries.bulkInsert('webhook_deliveries', deliveries, { transaction });
    await queries.bulkInsert('webhook_replays', ended, { transaction });
  });
  if (story.database.kind !== 'sqlite') {
    await db.sequelize.query('ANALYZE TABLE events, webhook_deliveries, webhook_replays, webhook_subscriptions');
  }
});
afterAll(() => receiver.close());

test.each([
  ['the first page', () => '/v1/webhooks/replays'],
  ['a page in the middle', () => `/v1/webhooks/replays?starting_after=${replays[ROWS / 2]}`],
  ['a page backwards', () => `/v1/webhooks/replays?ending_before=${replays[100]}`],
  ['a status', () => '/v1/webhooks/replays?status=running'],
  ['an endpoint', () => `/v1/webhooks/replays?endpoint_id=${newId('webhook_endpoint')}`],
  ['one replay', () => `/v1/webhooks/replays/${replays[5]}`],
])('%s reads an index in its order: no full scan, no sorting', async (_title, path) => {
  const plans = await plansOf(story.server, async () => {
    expect((await api(path())).status).toBe(200);
  });
  const own = plans.filter(([statement]) => statement.includes('webhook_replays'));
  expect(own.length).toBeGreaterThanOrEqual(1);
  for (const [statement, plan] of own) expect(plan, statement).not.toMatch(BAD_PLAN);
});

/** Statements that work on a replay, among all statements of a server. */
const OF_REPLAYS =
  /(FROM|UPDATE) webhook_replays|FROM events WHERE|FROM webhook_deliveries (INDEXED BY|FORCE INDEX)|FROM webhook_subscriptions WHERE tenant_id = '\w+'$/;

test.each([
  ['all types', {}, ROWS],
  ['some types', { event_types: ['client.created', 'user.invited'] }, 0],
])(
  'each statement that works on a replay of %s is a look-up in an index',
  async (_title, params, least) => {
    const { db } = story.server;
    let scheduled = 0;
    const statements = await captureStatements(db, async () => {
      scheduled = (await replayAll(api, { since: new Date(AT).toISOString(), endpoint_id: endpointId, ...params }))
        .scheduled_count;
    });
    expect(scheduled).toBe(least === 0 ? 0 : ROWS / 2 + ROWS / 100);
    const own = new Map(
      statements
        .filter((statement) => OF_REPLAYS.test(statement) && !statement.startsWith('INSERT'))
        // One statement of each form is enough.
        .map((statement) => [statement.replaceAll(/'[^']*'|\d+/g, '?').slice(0, 300), statement]),
    );
    expect(own.size).toBeGreaterThan(10);
    const explain = { sqlite: 'EXPLAIN QUERY PLAN', mysql: 'EXPLAIN FORMAT=TRADITIONAL', mariadb: 'EXPLAIN' }[db.kind];
    for (const statement of own.values()) {
      const plan = await select<Record<string, unknown>>(db, `${explain} ${statement}`);
      // The result of an inner SELECT is read as a whole, and a UNION is combined.
      const steps = plan.filter((step) => !/<derived|<union|SCAN (batch|\(subquery)/.test(JSON.stringify(step)));
      expect(JSON.stringify(steps), statement).not.toMatch(BAD_PLAN);
    }
  },
  180_000,
);
