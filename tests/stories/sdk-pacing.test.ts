import { Platform } from '@plat/sdk';
import { expect, test } from 'vitest';
import { useServer } from '../support/story.ts';

// Story: a job with more calls than the rate limit accepts. The windows are real, and short.

const LIMIT = 40;
const story = useServer({ env: { PLAT_RATE_LIMIT: String(LIMIT), PLAT_RATE_WINDOW: '1', PLAT_DISPATCH: 'false' } });

/** Makes calls in parallel by two clients of one credential, and returns the statuses of all responses. */
async function callMany(pacing: boolean, { calls, parallel }: { calls: number; parallel: number }) {
  const { apiKey } = await story.server.createTenant();
  const statuses: number[] = [];
  const hooks = { onResponse: ({ status }: { status: number }) => void statuses.push(status) };
  const client = () => new Platform({ apiKey, baseUrl: story.server.baseUrl, pacing, hooks, maxRetries: 10 });
  const clients = [client(), client()] as const;
  let left = calls;
  const worker = async (i: number) => {
    while (left-- > 0) await clients[i % 2 === 0 ? 0 : 1].me.get();
  };
  await Promise.all(Array.from({ length: parallel }, (_, i) => worker(i)));
  return statuses;
}

test('paced calls of two clients with one credential cause no 429 over several windows', async () => {
  const statuses = await callMany(true, { calls: 3 * LIMIT, parallel: 25 });
  expect(statuses).toEqual(Array.from({ length: 3 * LIMIT }, () => 200));
});

test('without pacing the same calls cause 429, and are repeated', async () => {
  const statuses = await callMany(false, { calls: 2 * LIMIT, parallel: 25 });
  expect(statuses.filter((status) => status === 200)).toHaveLength(2 * LIMIT);
  expect(statuses).toContain(429);
});
