import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute, select } from '../../db/sql.ts';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import { releaseShards, renewLeases, takeShards } from '../dispatch/leases.ts';
import { recordHealth } from '../endpoints/endpoint-health.ts';
import type { Answer } from '../sending/answer.ts';
import { createWorld, type World } from '../world.fixture.ts';
import { type HealthRecorder, type Outcome, writeOutcomes } from './outcomes.ts';
import { type LoadedDelivery, loadDeliveries, selectDue } from './queue.ts';

const SHARD = 3;
const ANSWER: Answer = {
  errorClass: null,
  status: 200,
  headers: [{ name: 'x-colon', value: ":id ' \\ ?" }],
  body: 'ok',
  retryAfter: null,
  remoteAddress: '192.0.2.1',
  durationMs: 10,
  timings: { dnsMs: 1, connectMs: null, tlsMs: 0, firstByteMs: 4 },
  signature: 't=1795377761,v1=0123456789abcdef,v1=fedcba9876543210',
};
let world: World;

beforeEach(async () => {
  world = await createWorld();
  await world.addEndpoint({ shard: SHARD });
});
afterEach(() => world.close());

describe('outcomes', () => {
  it('are written for several deliveries at once, each with its own values', async () => {
    const rows = await due(3);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    const [one, two, three] = rows.map((row) => outcome(row));
    const written = await write('a', [
      { ...one, status: 'succeeded', answer: { ...ANSWER, body: "it's :fine \\ ?", durationMs: 7 } },
      {
        ...two,
        status: 'failed',
        errorClass: 'reset',
        answer: { ...ANSWER, status: null, body: null, durationMs: 8 },
      },
      { ...three, status: 'retrying', answer: { ...ANSWER, status: 500, body: '', durationMs: 7 } },
    ] as Outcome[]);
    expect(written).toBe(3);
    const after = await world.deliveries();
    expect(after).toHaveLength(4);
    expect(byId(after, rows[0])).toMatchObject({
      status: 'succeeded',
      response_body: "it's :fine \\ ?",
      duration_ms: 7,
      signature_starts: null,
    });
    expect(byId(after, rows[1])).toMatchObject({
      status: 'failed',
      error: 'reset: the connection ended before the answer was complete',
      response_body: null,
      duration_ms: 8,
      signature_starts: '01234567,fedcba98',
    });
    expect(byId(after, rows[2])).toMatchObject({ status: 'retrying', response_status: 500, queue_shard: null });
    expect(after[3]).toMatchObject({
      event_id: rows[2]?.event_id,
      attempt: 2,
      status: 'pending',
      queue_shard: SHARD,
      scheduled_at: 5000 + 30_000,
      response_status: null,
    });
  });

  it('are refused from a dispatcher whose lease was taken over', async () => {
    const rows = await due(2);
    await takeShards(world.db, 'zombie', [SHARD], 10_000);
    await execute(world.db, 'UPDATE shard_leases SET expires_at = 1 WHERE shard = :SHARD', { SHARD });
    expect(await takeShards(world.db, 'heir', [SHARD], 10_000)).toBe(1);
    for (const status of ['succeeded', 'retrying', 'pending'] as const) {
      expect(
        await write(
          'zombie',
          rows.map((row) => ({ ...outcome(row), status })),
        ),
      ).toBe(0);
    }
    expect(await world.deliveries()).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    expect(
      await write(
        'heir',
        rows.map((row) => outcome(row, 2)),
      ),
    ).toBe(2);
  });

  it('are refused when they were sent under an earlier lease of the same dispatcher', async () => {
    const [row] = await due(1);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    await releaseShards(world.db, 'a', [SHARD]);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    expect(await write('a', [outcome(row, 1)])).toBe(0);
    expect(await write('a', [outcome(row, 2)])).toBe(1);
  });

  it.each([
    [1, 2],
    [2, 1],
  ])('of one shard under leases %d and %d are written for the later lease only', async (...tokens) => {
    const rows = await due(2);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    await releaseShards(world.db, 'a', [SHARD]);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    const outcomes = rows.map((row, i) => outcome(row, tokens[i]));
    expect(await write('a', outcomes)).toBe(1);
    const after = await world.deliveries();
    const statuses = rows.map((row) => byId(after, row)?.status);
    expect(statuses).toEqual(tokens.map((token) => (token === 2 ? 'succeeded' : 'pending')));
  });

  it('lead to a next attempt that sorts after this one, also when the clock of that one was ahead', async () => {
    const [row] = await due(1);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    await write('a', [{ ...outcome(row), status: 'retrying', attemptedAt: 500, endedAt: 510 }]);
    const [first, second] = await world.deliveries();
    expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
    expect(String(first?.id) < String(second?.id)).toBe(true);
  });

  it('written twice, as after a lost response of the database, create one next attempt', async () => {
    const rows = await due(3);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    const outcomes = rows.map((row) => ({ ...outcome(row), status: 'retrying' as const }));
    expect(await write('a', outcomes.slice(0, 2))).toBe(2);
    expect(await write('a', outcomes)).toBe(1);
    expect(await write('a', outcomes)).toBe(0);
    const after = await world.deliveries();
    expect(after.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2, 2, 2]);
    expect(new Set(after.slice(3).map((row) => row.event_id)).size).toBe(3);
  });
});

describe('outcomes of one endpoint that are written together', () => {
  const FAILED = { status: 'failed', errorClass: 'http_status' } as const;
  const failed = (row: LoadedDelivery | undefined, status: number): Outcome => ({
    ...outcome(row),
    ...FAILED,
    answer: { ...ANSWER, status },
  });

  it('change its circuit in their order: a success ends the failures before it', async () => {
    const rows = await due(3);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    expect(await writeWithHealth([failed(rows[0], 500), outcome(rows[1])])).toEqual([]);
    expect(await endpoint()).toMatchObject({ consecutive_failures: 0, failing_since: null });
    expect(await writeWithHealth([failed(rows[2], 500)])).toEqual([]);
    expect(await endpoint()).toMatchObject({ consecutive_failures: 1, failing_since: 4990 });
  });

  it.each([500, 200])('disable it with the 410 among them, before a response of %d', async (status) => {
    const rows = await due(2);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    const last = status === 200 ? outcome(rows[1]) : failed(rows[1], status);
    expect(await writeWithHealth([failed(rows[0], 410), last])).toEqual(['disabled']);
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabled_reason: 'gone: it answered 410 Gone' });
  });

  it('change nothing when it is already disabled', async () => {
    const [row] = await due(1);
    await takeShards(world.db, 'a', [SHARD], 10_000);
    const columns = "status = 'disabled', consecutive_failures = 19, failing_since = 1, disabled_reason = 'mine'";
    await execute(world.db, `UPDATE webhook_endpoints SET ${columns}`);
    const before = await endpoint();
    expect(await writeWithHealth([{ ...failed(row, 500), endedAt: 86_400_001 }])).toEqual([]);
    expect(await endpoint()).toEqual(before);
  });

  /** Writes outcomes with their effects on the circuit. Resolves to the kinds of the notices to the owners. */
  async function writeWithHealth(outcomes: readonly Outcome[]): Promise<string[]> {
    const notices: string[] = [];
    const notify = async (_: unknown, { kind }: { readonly kind: string }) => void notices.push(kind);
    const health: HealthRecorder = {
      isFailing: () => false,
      async record(transaction, given) {
        await recordHealth(world.db, transaction, given, { failureDays: 5, notify });
        return () => undefined;
      },
    };
    expect(await writeOutcomes(world.db, 'a', outcomes, health)).toBe(outcomes.length);
    return notices;
  }

  async function endpoint(): Promise<unknown> {
    const [row] = await select<WebhookEndpointRow>(world.db, 'SELECT * FROM webhook_endpoints');
    return row;
  }
});

describe('leases', () => {
  it('are taken by one of many dispatchers, and again only after their end or release', async () => {
    const shards = [0, 1, 2, 3];
    const taken = await Promise.all(['a', 'b', 'c'].map((owner) => takeShards(world.db, owner, shards, 10_000)));
    expect(taken.reduce((sum, count) => sum + count)).toBe(4);
    expect(await takeShards(world.db, 'd', shards, 10_000)).toBe(0);
    await execute(world.db, 'UPDATE shard_leases SET expires_at = 1');
    expect(await takeShards(world.db, 'd', shards, 10_000)).toBe(4);
    await releaseShards(world.db, 'd', [1, 2]);
    await releaseShards(world.db, 'e', [0, 3]);
    expect(await takeShards(world.db, 'e', shards, 10_000)).toBe(2);
  });

  it('are renewed by their owner, even after their end, unless another dispatcher took them', async () => {
    await takeShards(world.db, 'a', [0, 1], 10_000);
    await execute(world.db, 'UPDATE shard_leases SET expires_at = 1');
    await takeShards(world.db, 'b', [1], 10_000);
    await renewLeases(world.db, 'a', { leaseMs: 10_000, takesPart: true });
    expect(await takeShards(world.db, 'c', [0, 1], 10_000)).toBe(0);
  });
});

describe('the queries of the queue', () => {
  it.each([
    [
      'webhook_deliveries_due',
      'SELECT queue_shard, endpoint_id, scheduled_at, tenant_id, id FROM webhook_deliveries WHERE queue_shard IN (1, 2) AND scheduled_at <= 5 ORDER BY queue_shard, scheduled_at LIMIT 9',
    ],
    [
      'webhook_deliveries_queue',
      "SELECT queue_shard, endpoint_id, scheduled_at, tenant_id, id FROM webhook_deliveries WHERE queue_shard = 1 AND endpoint_id > 'x' ORDER BY queue_shard, endpoint_id, scheduled_at, id LIMIT 9",
    ],
  ])('use only the index %s, without a sort', async (index, sql) => {
    const plan = await world.db.sequelize.query(`EXPLAIN QUERY PLAN ${sql}`);
    const text = JSON.stringify(plan);
    expect(text).toContain(`COVERING INDEX ${index}`);
    expect(text).not.toContain('TEMP B-TREE');
  });
});

/** Without circuits. */
function write(owner: string, outcomes: readonly Outcome[]): Promise<number> {
  const watch = { isFailing: () => false, record: async () => () => undefined };
  return writeOutcomes(world.db, owner, outcomes, watch);
}

async function due(count: number): Promise<LoadedDelivery[]> {
  await world.emit(count, 1000);
  const rows = await loadDeliveries(world.db, await selectDue(world.db, [SHARD], { since: -1, now: 2000, limit: 100 }));
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function outcome(delivery: LoadedDelivery | undefined, token = 1): Outcome {
  if (!delivery) throw new Error('nothing is due');
  return {
    delivery,
    token,
    status: 'succeeded',
    attemptedAt: 4990,
    endedAt: 5000,
    errorClass: null,
    answer: ANSWER,
  };
}

function byId<T extends { readonly id: string }>(
  rows: readonly T[],
  row: { readonly id: string } | undefined,
): T | undefined {
  return rows.find(({ id }) => id === row?.id);
}
