import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Child } from '../lib/child.ts';
import { quantile } from '../lib/statistics.ts';
import type { Observed } from './observer.ts';

/** From the 201 of a change to the first byte of its deliveries at their receivers, in ms. */
export interface FirstByteSample {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Traffic {
  readonly baseUrl: string;
  /** Number of tenants that create clients in turn, and endpoints of each. */
  readonly apiKeys: readonly string[];
  readonly endpointsEach: number;
  /** A change starts every this many ms, independent of earlier responses. */
  readonly everyMs: number;
  readonly changes: number;
}

/** Maximum time in ms for the last deliveries. */
const DRAIN_TIMEOUT_MS = 60_000;

/** Creates clients and waits until all of their events have arrived. */
export async function firstBytes(
  { baseUrl, apiKeys, endpointsEach, everyMs, changes }: Traffic,
  observer: Child<Observed>,
): Promise<FirstByteSample> {
  const pool = new Pool(baseUrl, { connections: 16 });
  const committedAt = new Map<string, number>();
  const create = async (n: number): Promise<void> => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/v1/clients',
      headers: { authorization: `Bearer ${apiKeys[n % apiKeys.length]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Harbour Coffee ${n}` }),
    });
    const at = monotonicMs();
    const answer = await body.text();
    if (statusCode !== 201) throw new Error(`POST /v1/clients answered ${statusCode}: ${answer}`);
    committedAt.set(JSON.parse(answer).id, at);
  };
  await observer.ask('');
  const inFlight: Promise<void>[] = [];
  const start = monotonicMs();
  for (let n = 0; n < changes; n++) {
    const early = start + n * everyMs - monotonicMs();
    if (early > 0) await pause(early);
    inFlight.push(create(n));
  }
  await Promise.all(inFlight);
  const took: number[] = [];
  const giveUpAt = monotonicMs() + DRAIN_TIMEOUT_MS;
  while (took.length < changes * endpointsEach) {
    for (const { clientId, at } of (await observer.ask('')).arrivals) {
      const from = committedAt.get(clientId);
      // A delivery can arrive before the response; its latency is then 0.
      if (from !== undefined) took.push(Math.max(0, at - from));
    }
    if (monotonicMs() > giveUpAt) throw new Error(`${took.length} of ${changes * endpointsEach} deliveries arrived`);
    await pause(20);
  }
  await pool.close();
  return { p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) };
}

/** A clock that all processes of a machine share. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
