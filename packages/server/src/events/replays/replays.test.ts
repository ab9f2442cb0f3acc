import { LIMITS, type WebhookReplaySelect } from '@plat/contract';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute, select } from '../../db/sql.ts';
import type { WebhookReplayRow } from '../../db/tables/webhook-replays.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { setWakeUps } from '../../db/wake-ups.ts';
import { newId } from '../../kernel/ids.ts';
import { createWorld, type World } from '../world.fixture.ts';
import { MAX_DUE, runBatch } from './replay-batch.ts';
import { addReplay, type ClaimedReplay, createReplayJobs, type ReplayJobs } from './replay-jobs.ts';
import { createReplayer } from './replayer.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const LEASE_MS = 15_000;
const DAY_MS = 86_400_000;

let world: World;
let now: number;
let jobs: ReplayJobs;
beforeEach(async () => {
  world = await createWorld();
  now = START;
  jobs = createReplayJobs(world.db, () => now);
});
afterEach(() => world.close());

/** Events at two times before an endpoint exists: they are not sent. */
async function emitMissed(count: number): Promise<void> {
  await world.emit(Math.floor(count / 2), now - 2);
  await world.emit(Math.ceil(count / 2), now - 1);
}

async function addJob(
  endpointIds: readonly string[],
  {
    select: selection = 'undelivered',
    since = START - 40 * DAY_MS,
    types = null,
  }: { select?: WebhookReplaySelect; since?: number; types?: readonly string[] | null } = {},
): Promise<string> {
  const id = newId('webhook_replay', now);
  const counts = { examined_count: 0, scheduled_count: 0, total_count: null, completed_at: null };
  await unitOfWork(world.db, (transaction) =>
    addReplay(
      world.db,
      transaction,
      {
        ...{
          tenant_id: world.tenantId,
          id,
          endpoint_id: null,
          selection,
          since_at: since,
          until_at: now,
          event_types: types && JSON.stringify(types),
        },
        ...{ status: 'pending', ...counts, created_at: now, updated_at: now },
      },
      endpointIds,
    ),
  );
  now += 1_000;
  return id;
}

async function claim(): Promise<ClaimedReplay> {
  const job = await jobs.claim(LEASE_MS);
  if (!job) throw new Error('no job is due');
  return job;
}

const batchOf = (job: ClaimedReplay, allowances = new Map<string, number>()): Promise<boolean> => {
  now++;
  return runBatch(job, { db: world.db, jobs, leaseMs: LEASE_MS, allowances });
};

/** Numbers of deliveries that each batch of a turn makes due, until the turn is over. */
async function turnOf(job: ClaimedReplay): Promise<number[]> {
  const allowances = new Map<string, number>();
  const scheduled: number[] = [];
  let total = (await rowOf(job.id))?.scheduled_count ?? 0;
  for (let continues = true; continues; ) {
    continues = await batchOf(job, allowances);
    const before = total;
    total = (await rowOf(job.id))?.scheduled_count ?? 0;
    scheduled.push(total - before);
  }
  return scheduled;
}

async function rowOf(id: string): Promise<WebhookReplayRow | undefined> {
  return (await select<WebhookReplayRow>(world.db, 'SELECT * FROM webhook_replays WHERE id = :id', { id }))[0];
}

/** Everything that is due was sent. */
const sendAll = (endpointId: string) =>
  execute(
    world.db,
    "UPDATE webhook_deliveries SET status = 'succeeded', queue_shard = NULL, updated_at = :now WHERE endpoint_id = :endpointId",
    { endpointId, now },
  );

async function eventsOf(endpointId: string): Promise<string[]> {
  const sql = 'SELECT event_id FROM webhook_deliveries WHERE endpoint_id = :endpointId ORDER BY scheduled_at, id';
  return (await select<{ event_id: string }>(world.db, sql, { endpointId })).map((row) => row.event_id);
}

async function allEvents(): Promise<string[]> {
  return (await select<{ id: string }>(world.db, 'SELECT id FROM events ORDER BY id')).map(({ id }) => id);
}

describe('a replay', () => {
  it('waits a moment for earlier transactions to commit', async () => {
    await addJob([]);
    now--;
    expect(await jobs.claim(LEASE_MS)).toBeNull();
    now++;
    expect(await jobs.claim(LEASE_MS)).not.toBeNull();
  });

  it('reads the events in batches, and makes them due in order', async () => {
    await emitMissed(450);
    const endpoint = await world.addEndpoint();
    const id = await addJob([endpoint]);
    expect(await turnOf(await claim())).toEqual([200, 200, 50]);
    expect(await eventsOf(endpoint)).toEqual(await allEvents());
    expect(await rowOf(id)).toMatchObject({
      status: 'completed',
      examined_count: 450,
      scheduled_count: 450,
      completed_at: now,
      due_at: null,
    });
    for (const row of await world.deliveries()) expect(row).toMatchObject({ attempt: 1, status: 'pending' });
  });

  it('waits for an endpoint with a thousand due deliveries, with a growing back-off', async () => {
    await emitMissed(MAX_DUE + 300);
    const endpoint = await world.addEndpoint();
    const id = await addJob([endpoint]);
    expect(await turnOf(await claim())).toEqual([200, 200, 200, 200, 200, 0]);
    expect(await rowOf(id)).toMatchObject({ examined_count: 1000, scheduled_count: 1000, due_at: now + 250 });
    now += 20_000;
    expect(await turnOf(await claim())).toEqual([0]);
    expect((await rowOf(id))?.due_at).toBeGreaterThan(now + 4_000);
    now += 5_100;
    await sendAll(endpoint);
    expect(await turnOf(await claim())).toEqual([200, 100]);
    expect(await eventsOf(endpoint)).toEqual(await allEvents());
  });

  it('does not delay other endpoints for one that waits, which catches up later', async () => {
    await emitMissed(MAX_DUE + 900);
    const [slow, fast] = [await world.addEndpoint(), await world.addEndpoint()];
    const id = await addJob([slow, fast]);
    for (let turn = 0; turn < 4; turn++) {
      await turnOf(await claim());
      await sendAll(fast);
      now += 20_000;
    }
    expect(await eventsOf(fast)).toEqual(await allEvents());
    expect(await eventsOf(slow)).toHaveLength(MAX_DUE);
    expect(await rowOf(id)).toMatchObject({ completed_at: null, examined_count: MAX_DUE });
    await sendAll(slow);
    await turnOf(await claim());
    expect(await eventsOf(slow)).toEqual(await allEvents());
    expect(await rowOf(id)).toMatchObject({
      status: 'completed',
      examined_count: MAX_DUE + 900,
      scheduled_count: 2 * (MAX_DUE + 900),
    });
  });

  it('brings an endpoint that is behind exactly to the next one, and continues with both', async () => {
    await emitMissed(450);
    const [behind, before] = [await world.addEndpoint(), await world.addEndpoint()];
    const id = await addJob([behind, before]);
    const events = await allEvents();
    const walks = [
      { endpoint_id: behind, cursor: events[49], examined: 50 },
      { endpoint_id: before, cursor: events[99], examined: 100 },
    ];
    await execute(world.db, 'UPDATE webhook_replays SET walks = :walks', { walks: JSON.stringify(walks) });
    expect(await turnOf(await claim())).toEqual([50, 400, 300]);
    expect(await eventsOf(behind)).toEqual(events.slice(50));
    expect(await eventsOf(before)).toEqual(events.slice(100));
    expect(await rowOf(id)).toMatchObject({ status: 'completed', examined_count: 450 });
  });

  it('reads fewer events in a batch when it has more endpoints', async () => {
    await emitMissed(60);
    const endpoints: string[] = [];
    for (let n = 0; n < 40; n++) endpoints.push(await world.addEndpoint());
    await addJob(endpoints);
    expect(await turnOf(await claim())).toEqual([1000, 1000, 400]);
  });

  it('sends no event of another tenant', async () => {
    await world.emit(3, now - 2, await world.addTenant());
    await emitMissed(2);
    const own = await select<{ id: string }>(world.db, 'SELECT id FROM events WHERE tenant_id = :id ORDER BY id', {
      id: world.tenantId,
    });
    const endpoint = await world.addEndpoint();
    await addJob([endpoint]);
    expect(await turnOf(await claim())).toEqual([2]);
    expect(await eventsOf(endpoint)).toEqual(own.map(({ id }) => id));
  });

  it.each<[WebhookReplaySelect, number[]]>([
    ['failed', [1]],
    ['missed', [0]],
    ['undelivered', [0, 1]],
  ])('of %s events leaves out those that are pending, or were delivered after a failure', async (selection, chosen) => {
    await emitMissed(4);
    const events = await allEvents();
    const endpoint = await world.addEndpoint();
    const ended = { 1: ['failed'], 2: ['failed', 'pending'], 3: ['failed', 'succeeded'] } as const;
    for (const [index, statuses] of Object.entries(ended)) {
      for (const [at, status] of statuses.entries()) {
        await execute(
          world.db,
          `INSERT INTO webhook_deliveries (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, queue_shard, scheduled_at, created_at, updated_at)
           VALUES (:tenantId, :id, :eventId, 'client.created', :endpoint, 1, :status, NULL, 0, 0, :at)`,
          {
            ...{ tenantId: world.tenantId, id: newId('webhook_delivery'), eventId: events[Number(index)] ?? '' },
            ...{ endpoint, status, at },
          },
        );
      }
    }
    await addJob([endpoint], { select: selection });
    await turnOf(await claim());
    const replayed = await select<{ event_id: string }>(
      world.db,
      'SELECT event_id FROM webhook_deliveries WHERE replayed_by IS NOT NULL ORDER BY event_id',
    );
    expect(replayed.map(({ event_id }) => events.indexOf(event_id))).toEqual(chosen);
  });

  it('of some event types sends all of them, in the order of the events', async () => {
    await emitMissed(450);
    const events = await allEvents();
    for (const [type, every] of [
      ['client.deleted', 2],
      ['client.updated', 9],
    ] as const) {
      const ids = events.filter((_, index) => index % every === 0);
      await execute(world.db, 'UPDATE events SET type = :type WHERE id IN (:ids)', { type, ids });
    }
    const endpoint = await world.addEndpoint();
    await addJob([endpoint], { types: ['client.deleted', 'oauth.app_revoked'] });
    expect(await turnOf(await claim())).toEqual([200, 200, 0]);
    expect(await eventsOf(endpoint)).toEqual(events.filter((_, index) => index % 9 !== 0));
  });

  it('skips a disabled endpoint, and ends when none is left', async () => {
    await emitMissed(300);
    const endpoint = await world.addEndpoint();
    const id = await addJob([endpoint]);
    const job = await claim();
    await batchOf(job);
    await execute(world.db, 'DELETE FROM webhook_subscriptions');
    expect(await batchOf(job)).toBe(false);
    expect(await rowOf(id)).toMatchObject({ status: 'completed', examined_count: 200, scheduled_count: 200 });
  });

  it('skips events whose deliveries housekeeping may have deleted', async () => {
    const keptMs = LIMITS.webhook.eventRetentionSeconds * 1000;
    await world.emit(1, now - keptMs + 60_000);
    await world.emit(1, now - keptMs + 2 * 3_600_000);
    const endpoint = await world.addEndpoint();
    await addJob([endpoint]);
    expect(await turnOf(await claim())).toEqual([1]);
    expect(await eventsOf(endpoint)).toEqual((await allEvents()).slice(1));
  });
});

describe('the lease of a replay', () => {
  it('fences a process whose lease ended: it changes nothing', async () => {
    await emitMissed(300);
    const endpoint = await world.addEndpoint();
    await addJob([endpoint]);
    const silent = await claim();
    expect(await jobs.claim(LEASE_MS)).toBeNull();
    await batchOf(silent);
    now += LEASE_MS;
    const next = await claim();
    expect(await batchOf(silent)).toBe(false);
    await jobs.release(silent, 0);
    expect(await jobs.renew(silent, LEASE_MS)).toBe(false);
    expect(await jobs.begin(silent, 7)).toBe(false);
    expect(await jobs.claim(LEASE_MS)).toBeNull();
    expect(await turnOf(next)).toEqual([100]);
    expect(await eventsOf(endpoint)).toEqual(await allEvents());
  });

  it('is renewed by each batch', async () => {
    await emitMissed(500);
    const endpoint = await world.addEndpoint();
    await addJob([endpoint]);
    const job = await claim();
    for (let batch = 0; batch < 2; batch++) {
      now += LEASE_MS - 10;
      expect(await batchOf(job)).toBe(true);
      expect(await jobs.claim(LEASE_MS)).toBeNull();
    }
  });

  it('that ends before the commit of a batch rolls it back, and the next holder repeats it', async () => {
    await emitMissed(300);
    const endpoint = await world.addEndpoint();
    const id = await addJob([endpoint]);
    const job = await claim();
    const failing = { ...jobs, save: () => Promise.reject(new Error('killed')) };
    await expect(
      runBatch(job, { db: world.db, jobs: failing, leaseMs: LEASE_MS, allowances: new Map() }),
    ).rejects.toThrow('killed');
    expect(await world.deliveries()).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ examined_count: 0, scheduled_count: 0 });
    now += LEASE_MS;
    expect(await turnOf(await claim())).toEqual([200, 100]);
  });

  it('ends when the replay is canceled', async () => {
    await emitMissed(300);
    const endpoint = await world.addEndpoint();
    await addJob([endpoint]);
    const job = await claim();
    await batchOf(job);
    await execute(world.db, "UPDATE webhook_replays SET status = 'canceled', due_at = NULL");
    expect(await batchOf(job)).toBe(false);
    expect(await world.deliveries()).toHaveLength(200);
    now += LEASE_MS;
    expect(await jobs.claim(LEASE_MS)).toBeNull();
  });
});

describe('two replays over the same events', () => {
  it('make each delivery due once: the second one sees the deliveries of the first', async () => {
    await emitMissed(300);
    const endpoint = await world.addEndpoint();
    await addJob([endpoint]);
    await addJob([endpoint]);
    const [first, second] = [await claim(), await claim()];
    await batchOf(first);
    await batchOf(second);
    await batchOf(second);
    await batchOf(first);
    expect((await eventsOf(endpoint)).sort()).toEqual(await allEvents());
  });
});

describe('the replayer of a process', () => {
  it('processes due jobs, and releases the rest at once when it stops', async () => {
    await emitMissed(900);
    const endpoint = await world.addEndpoint();
    const id = await addJob([endpoint]);
    const log = pino({ level: 'silent' });
    const options = { db: world.db, log, clock: () => now, pollMs: 5, leaseMs: LEASE_MS };
    let stopping: Promise<void> | undefined;
    const first = createReplayer(options);
    setWakeUps(world.db, { deliveries: () => (stopping ??= first.stop()), mails: () => undefined });
    first.start();
    await expect.poll(() => stopping !== undefined).toBe(true);
    await stopping;
    expect(await rowOf(id)).toMatchObject({ status: 'running', total_count: 900, due_at: now });
    const done = (await rowOf(id))?.scheduled_count ?? 0;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(900);

    const second = createReplayer(options);
    second.start();
    await expect.poll(async () => (await rowOf(id))?.status).toBe('completed');
    await second.stop();
    expect((await eventsOf(endpoint)).sort()).toEqual(await allEvents());
  });

  it('waits for the row of its tenant, which an import inserts last', async () => {
    await emitMissed(10);
    const id = await addJob([await world.addEndpoint()]);
    await execute(world.db, 'DELETE FROM tenants');
    const log = pino({ level: 'silent' });
    const replayer = createReplayer({ db: world.db, log, clock: () => now, pollMs: 5 });
    replayer.start();
    await replayer.idle();
    await replayer.stop();
    expect(await rowOf(id)).toMatchObject({ status: 'pending', scheduled_count: 0 });
  });
});
