import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { quantile } from '../lib/statistics.ts';

/** Durations of the requests of one period. */
export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Interval between requests. */
const EVERY_MS = 5;

/**
 * Sends GET /v1/clients at a steady rate, independent of earlier responses, while `during` runs. The time of a request
 * begins when it was due.
 */
export async function requestsDuring<T>(
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  during: () => Promise<T>,
): Promise<{ readonly result: T; readonly latencies: Latencies }> {
  const pool = new Pool(baseUrl, { connections: 64 });
  const took: number[] = [];
  const one = async (dueAt: number): Promise<void> => {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: '/v1/clients',
      headers: { authorization: `Bearer ${apiKey}` },
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`GET /v1/clients answered ${statusCode}`);
    took.push(performance.now() - dueAt);
  };
  let ended = false;
  const work = during().finally(() => {
    ended = true;
  });
  const inFlight: Promise<void>[] = [];
  for (let dueAt = performance.now(); !ended; dueAt += EVERY_MS) {
    const early = dueAt - performance.now();
    if (early > 0) await wait(early);
    inFlight.push(one(dueAt));
  }
  await Promise.all(inFlight);
  await pool.close();
  return { result: await work, latencies: { p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) } };
}
