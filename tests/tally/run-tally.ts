import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createTestServer, type TestServer } from '@plat/server/testing';
import { spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Herd, herdEnv, startHerd } from './herd.ts';
import { watchLeases } from './lease-watch.ts';
import { countDue, readLedger } from './ledger.ts';
import { randomOf } from './random.ts';
import { type Receivers, startReceivers, TEMPERS } from './receivers.ts';
import { type Endpoint, reckon, type Tally } from './reckon.ts';
import { startWriters, type Writers } from './writers.ts';

export interface RunOptions {
  /** An empty database, or one whose other tenants have no pending deliveries. */
  readonly databaseUrl: string;
  readonly kills: number;
  readonly processes: number;
  readonly seed: number;
  /** The same database by the URL of each node; processes take them in turn. */
  readonly nodeUrls?: readonly string[];
  /** Called once, when this share of the kills is done. */
  fault?(): Promise<void>;
  readonly faultAt?: number;
  /** Called with progress reports. */
  progress?(text: string): void;
}

/** A tally with the figures of its run. */
export interface Run {
  readonly tally: Tally;
  readonly kills: number;
  /** Kills of a process before it served. */
  readonly killedWhileStarting: number;
  readonly seconds: number;
  /** Requests without a response, and refused ones. */
  readonly unanswered: number;
  readonly refused: ReadonlyMap<string, number>;
  readonly crashes: readonly string[];
}

/** The minimum, so that shards of killed processes are soon taken over. */
const LEASE_SECONDS = 1;
const TENANTS = 3;
const WRITERS = 4;
/** If the backlog has not shrunk for this long, it counts as stuck. */
const STUCK_AFTER_MS = 30_000;

/** Kills processes under load until the kills are done, drains the queue, and counts. */
export async function runTally(options: RunOptions): Promise<Run> {
  const { databaseUrl, kills, processes, seed } = options;
  const startedAt = performance.now();
  const random = randomOf(seed);
  const folder = tempFolder('tally');
  const masterKey = { PLAT_MASTER_KEY: randomBytes(32).toString('base64') };
  const env = {
    ...herdEnv(folder.path),
    ...masterKey,
    DATABASE_URL: databaseUrl,
    PLAT_LEASE_SECONDS: String(LEASE_SECONDS),
  };
  const observer = await createTestServer({ databaseUrl, env: { ...masterKey, PLAT_DISPATCH: 'false' } });
  const receivers = await startReceivers(random);
  try {
    const tenants = await Promise.all(Array.from({ length: TENANTS }, () => observer.createTenant({ sandbox: false })));
    const endpoints = await Promise.all(tenants.map((tenant, i) => register(observer.baseUrl, tenant, receivers, i)));
    await fillCompileCache(env);
    const leases = watchLeases(observer.db, LEASE_SECONDS * 1000);
    const herd = startHerd({ env, nodeUrls: options.nodeUrls ?? [databaseUrl], processes, kills, random });
    const apiKeys = tenants.map(({ apiKey }) => apiKey);
    const writers = startWriters({ apiKeys, writers: WRITERS, random, someBaseUrl: () => herd.someBaseUrl() });
    const tenantIds = tenants.map(({ tenantId }) => tenantId);
    const drainedAt = await outlast(observer.db, tenantIds, { herd, writers, receivers }, options).finally(async () => {
      await writers.stop();
      await herd.stop();
      await leases.stop();
    });
    const ledger = await readLedger(observer.db, tenantIds);
    const { arrivals } = receivers;
    const { answered, refused } = writers;
    const { lives, crashes } = herd;
    const { hadRunOut } = leases;
    return {
      tally: reckon({ ledger, arrivals, answered, endpoints: endpoints.flat(), lives, drainedAt, hadRunOut }),
      kills: herd.kills(),
      killedWhileStarting: lives.filter(({ killedAt, isReady }) => killedAt !== null && !isReady).length,
      seconds: (performance.now() - startedAt) / 1000,
      unanswered: writers.unanswered(),
      refused,
      crashes,
    };
  } finally {
    await receivers.close();
    await observer.close();
    folder.remove();
  }
}

interface Players {
  readonly herd: Herd;
  readonly writers: Writers;
  readonly receivers: Receivers;
}

/** Waits until the kills are done and the backlog is drained. Resolves to the end of the wait. */
async function outlast(
  db: TestServer['db'],
  tenantIds: readonly string[],
  { herd, writers, receivers }: Players,
  { kills, progress, fault, faultAt = 0 }: RunOptions,
): Promise<number> {
  let injected: Promise<void> | undefined;
  const everySecond = setInterval(() => {
    const share = herd.kills() / kills;
    if (share >= faultAt) injected ??= fault?.();
    receivers.setAway(share > 0.1 && share < 0.4);
    const [changes, arrivals] = [writers.answered.length, receivers.arrivals.length];
    progress?.(`${herd.kills()} kills, ${changes} changes, ${arrivals} arrivals`);
  }, 1_000);
  try {
    await herd.spent;
    await injected;
    await writers.stop();
    receivers.setAway(false);
    return await drain(db, tenantIds);
  } finally {
    clearInterval(everySecond);
  }
}

async function register(
  baseUrl: string,
  { tenantId, apiKey }: { readonly tenantId: string; readonly apiKey: string },
  receivers: Receivers,
  index: number,
): Promise<Endpoint[]> {
  const registering = TEMPERS.map(async (temper) => {
    const url = receivers.urlOf(temper, index);
    const response = await fetch(`${baseUrl}/v1/webhooks/endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, events: ['client.created', 'client.updated'] }),
    });
    const endpoint: unknown = await response.json();
    return { id: (endpoint as { id: string }).id, tenantId, url, temper };
  });
  return Promise.all(registering);
}

/** A process that ends in order writes its compile cache for the next ones; killed ones do not. */
async function fillCompileCache(env: Readonly<Record<string, string>>): Promise<void> {
  const first = spawnNode('packages/server/src/main.ts', { env });
  await first.waitFor(/Base URL/, 120_000);
  await first.stop();
}

/** Waits until the backlog is empty or stops shrinking. Resolves to the time of the latest sample. */
async function drain(db: TestServer['db'], tenantIds: readonly string[]): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  let leastAt = performance.now();
  for (;;) {
    const now = Date.now();
    const due = await countDue(db, tenantIds, now);
    if (due === 0 || performance.now() - leastAt > STUCK_AFTER_MS) return now;
    if (due < least) {
      least = due;
      leastAt = performance.now();
    }
    await wait(200);
  }
}
