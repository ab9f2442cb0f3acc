import { HEADERS } from '@plat/contract';
import { captureStatements, createTestServer, execute, newId, select, unitOfWork } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { migratedDatabase } from '../support/database.ts';
import { AGING_TABLES, insertEvents, insertEverywhere, mailRow } from '../support/old-rows.ts';
import { spawnNode } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let now = Date.UTC(2026, 0, 1);
const clock = () => now;
// Due deliveries are sent only when a story calls it.
const env = { PLAT_DISPATCH: 'false', PLAT_DATA_DIR: tempFolder('housekeeping').path };
const story = useServer({ clock, env });

interface Tenant {
  readonly tenantId: string;
  readonly api: Api;
}

async function newTenant(): Promise<Tenant> {
  const { tenantId, apiKey } = await story.server.createTenant();
  return { tenantId, api: apiOf(story.server.baseUrl, apiKey) };
}

const createClient = ({ api }: Tenant, headers = {}) => api('/v1/clients', { body: { name: 'Acme' }, headers });

/** Runs a server that dispatches, until no delivery is due. */
async function sendAll(): Promise<void> {
  const sender = await createTestServer({
    databaseUrl: story.database.url,
    clock,
    env: { ...env, PLAT_DISPATCH: 'true' },
  });
  await sender.idle();
  await sender.close();
}

/** Returns the ids of a tenant's rows, oldest first. */
async function idsIn(table: string, { tenantId }: Pick<Tenant, 'tenantId'>): Promise<string[]> {
  const sql = `SELECT id FROM ${table} WHERE tenant_id = :tenantId ORDER BY id`;
  return (await select<{ id: string }>(story.server.db, sql, { tenantId })).map(({ id }) => id);
}

describe('housekeeping removes', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  const subscribe = ({ api }: Tenant) =>
    api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });

  test('events and their deliveries after 30 days, in every tenant; younger ones stay', async () => {
    const tenants = [await newTenant(), await newTenant()];
    for (const tenant of tenants) await subscribe(tenant);
    for (const tenant of tenants) await createClient(tenant);
    now += 20 * DAY_MS;
    for (const tenant of tenants) await createClient(tenant);
    await sendAll();

    now += 10 * DAY_MS;
    expect(await story.server.housekeeping()).toMatchObject({ events: 0, webhook_deliveries: 0 });
    const before = await Promise.all(tenants.map((tenant) => idsIn('events', tenant)));
    expect(before.map(({ length }) => length)).toEqual([2, 2]);

    now += 1;
    expect(await story.server.housekeeping()).toMatchObject({ events: 2, webhook_deliveries: 2 });
    for (const [i, tenant] of tenants.entries()) {
      expect(await idsIn('events', tenant)).toEqual(before[i]?.slice(1));
      const { body } = await tenant.api('/v1/webhooks/deliveries');
      expect(body.data.map((delivery: { event_id: string }) => delivery.event_id)).toEqual(before[i]?.slice(1));
      expect((await tenant.api('/v1/clients')).body.data).toHaveLength(2);
    }
  });

  test('no unsent delivery, however old, until it was sent', async () => {
    const tenant = await newTenant();
    await subscribe(tenant);
    await createClient(tenant);
    await createClient(tenant);
    const [first, second] = await idsIn('events', tenant);
    // The first delivery was sent, the second is still due.
    await execute(
      story.server.db,
      "UPDATE webhook_deliveries SET status = 'failed', queue_shard = NULL WHERE tenant_id = :tenantId AND event_id = :first",
      { tenantId: tenant.tenantId, first: first ?? '' },
    );
    now += 40 * DAY_MS;
    await story.server.housekeeping();
    expect(await idsIn('events', tenant)).toEqual([second]);
    expect(await idsIn('webhook_deliveries', tenant)).toHaveLength(1);

    const arrived = receiver.received.length;
    await sendAll();
    expect(receiver.received.slice(arrived).map(({ headers }) => headers[HEADERS.eventId])).toEqual([second]);
    await story.server.housekeeping();
    expect(await idsIn('events', tenant)).toEqual([]);
    expect(await idsIn('webhook_deliveries', tenant)).toEqual([]);
  });

  test('audit events after 365 days, after the configured time, or never', async () => {
    const tenant = await newTenant();
    await createClient(tenant);
    const [trail] = await idsIn('audit_events', tenant);
    const withDays = async (days: string) => {
      const other = await createTestServer({
        databaseUrl: story.database.url,
        clock,
        env: { ...env, PLAT_AUDIT_RETENTION_DAYS: days },
      });
      const counts = await other.housekeeping();
      await other.close();
      return counts;
    };
    now += 364 * DAY_MS;
    await story.server.housekeeping();
    expect(await withDays('0')).not.toHaveProperty('audit_events');
    expect(await idsIn('audit_events', tenant)).toContain(trail);
    now += 2 * DAY_MS;
    await withDays('0');
    await withDays('367');
    expect(await idsIn('audit_events', tenant)).toContain(trail);
    await story.server.housekeeping();
    expect(await idsIn('audit_events', tenant)).toEqual([]);
  });

  test('idempotency keys when they have expired, and no sooner', async () => {
    const tenant = await newTenant();
    const [old, young] = [{ [HEADERS.idempotencyKey]: 'old' }, { [HEADERS.idempotencyKey]: 'young' }];
    await createClient(tenant, old);
    now += 23 * HOUR_MS;
    const first = await createClient(tenant, young);
    now += HOUR_MS;
    expect(await story.server.housekeeping()).toMatchObject({ idempotency_keys: 0 });
    now += 1;
    expect(await story.server.housekeeping()).toMatchObject({ idempotency_keys: 1 });
    const again = await createClient(tenant, young);
    expect([again.body.id, again.headers.get(HEADERS.idempotentReplayed)]).toEqual([first.body.id, 'true']);
    expect((await createClient(tenant, old)).headers.get(HEADERS.idempotentReplayed)).toBeNull();
  });

  test('mails after 30 days, unless they wait to be sent', async () => {
    const { tenantId } = await newTenant();
    const { db } = story.server;
    const old = now - 31 * DAY_MS;
    const mails = [
      mailRow(tenantId, 'queued', old),
      mailRow(tenantId, 'sent', old),
      mailRow(tenantId, 'failed', old),
      mailRow(tenantId, 'sent', now),
    ];
    await unitOfWork(db, (transaction) => db.models.mail.bulkCreate(mails, { transaction }));
    expect(await story.server.housekeeping()).toMatchObject({ mails: 2 });
    expect(await idsIn('mails', { tenantId })).toEqual([mails[0]?.id, mails[3]?.id].sort());
  });

  test('the rows of deleted tenants, in more than one batch', async () => {
    const gone = newId('tenant');
    const neighbour = await newTenant();
    await insertEvents(story.server, gone, 1201, now - 31 * DAY_MS);
    await insertEvents(story.server, neighbour.tenantId, 1, now - 29 * DAY_MS);
    expect(await story.server.housekeeping()).toMatchObject({ events: 1201 });
    expect(await idsIn('events', { tenantId: gone })).toEqual([]);
    expect(await idsIn('events', neighbour)).toHaveLength(1);
  });
});

test('rows by statements that read an index in its order: no full scan, no sorting', async () => {
  const { db } = story.server;
  const { tenantId } = await newTenant();
  // Each table has so many rows that a plan without an index would not be chosen by accident: a batch is a few percent
  // of them.
  await insertEverywhere(story.server, tenantId, story.database.kind === 'sqlite' ? 4000 : 12_000, now);
  await insertEverywhere(story.server, tenantId, 1200, now - 400 * DAY_MS);
  const statements = await captureStatements(db, () => story.server.housekeeping());
  await insertEverywhere(story.server, tenantId, 1200, now - 400 * DAY_MS);
  if (story.database.kind !== 'sqlite') await db.sequelize.query(`ANALYZE TABLE ${AGING_TABLES.join(', ')}`);

  const explain = story.database.kind === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
  // Other tenants and other tables have so few rows that any plan is a good one.
  const filled = new RegExp(`^(SELECT|DELETE)[^]*FROM (${AGING_TABLES.join('|')})\\b`);
  const others = new RegExp(`tenant_id = '(?!${tenantId})`);
  const looked = statements.filter((text) => filled.test(text) && !others.test(text));
  expect(looked.filter((text) => text.startsWith('DELETE')).length).toBeGreaterThanOrEqual(5 * 3);
  for (const statement of looked) {
    const plan = await select<Record<string, unknown>>(db, `${explain} ${statement}`);
    // The batch that the inner SELECT has found is counted as a whole.
    const steps = plan.filter((step) => !/<derived|SCAN batch/.test(JSON.stringify(step)));
    expect(JSON.stringify(steps), statement).not.toMatch(/filesort|temporary|SCAN |TEMP B-TREE|"type":"(ALL|index)"/);
  }
  await story.server.housekeeping();
});

describe('several processes', () => {
  test('of two servers that begin at once one does all the work, and the other nothing', async () => {
    const other = await createTestServer({ databaseUrl: story.database.url, clock, env });
    const { tenantId } = await newTenant();
    await insertEvents(story.server, tenantId, 5000, now - 31 * DAY_MS);
    const runs = await Promise.all([story.server.housekeeping(), other.housekeeping()]);
    expect(runs.filter((counts) => counts === null)).toHaveLength(1);
    expect(runs.find((counts) => counts !== null)).toMatchObject({ events: 5000 });
    // The next run can acquire the lease.
    expect(await other.housekeeping()).toMatchObject({ events: 0 });
    await other.close();
  });

  test('when one is killed with -9 during a run, it leaves whole rows, and the next one continues', async () => {
    const database = await migratedDatabase();
    const next = await createTestServer({ databaseUrl: database.url, env });
    const { tenantId } = await next.createTenant();
    const old = Date.now() - 31 * DAY_MS;
    await insertEvents(next, tenantId, 10_000, old);
    const left = async () =>
      Number((await select<{ n: number }>(next.db, 'SELECT COUNT(*) AS n FROM events'))[0]?.n ?? 0);
    const before = await left();

    const killed = spawnNode('tests/support/housekeeping-process.ts', { env: { DATABASE_URL: database.url } });
    await expect.poll(left, { interval: 5 }).toBeLessThan(before);
    expect(await killed.kill9()).toMatchObject({ signal: 'SIGKILL' });
    const remaining = await left();
    expect(remaining).toBeGreaterThan(0);

    // Not before the lease of the killed process has expired.
    expect(await next.housekeeping()).toBeNull();
    await execute(next.db, 'UPDATE job_leases SET expires_at = 1');
    expect(await next.housekeeping()).toMatchObject({ events: remaining });
    expect(await left()).toBe(0);
    await next.close();
    await database.drop();
  });
});
