import { HEADERS } from '@plat/contract';
import { createTestServer, type TestServer } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { hasRedis, type Redis, startRedis } from '../support/redis.ts';
import { connectRedis } from '../support/redis-client.ts';

/** Key of the requests for documents from this machine. */
const ADDRESS_KEY = 'plat:address-documents:127.0.0.1';

describe.runIf(hasRedis())('with a Redis beside the servers', () => {
  let redis: Redis;
  let database: FreshDatabase;
  let servers: readonly TestServer[];

  beforeAll(async () => {
    redis = await startRedis();
    database = await migratedDatabase();
    const env = { REDIS_URL: redis.url, PLAT_RATE_LIMIT: '10', PLAT_DISPATCH: 'false' };
    servers = [
      await createTestServer({ databaseUrl: database.url, env }),
      await createTestServer({ databaseUrl: database.url, env }),
    ];
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await redis.stop();
    await database.drop();
  });

  test('a server that cannot start leaves no connection to Redis', async () => {
    const [running] = servers;
    if (!running) throw new Error('two servers');
    const client = await connectRedis(redis.url);
    const connections = async () =>
      String(await client.call('CLIENT', 'LIST'))
        .trim()
        .split('\n').length;
    const before = await connections();
    const env = { REDIS_URL: redis.url, PLAT_DISPATCH: 'false', PORT: new URL(running.baseUrl).port };
    await expect(createTestServer({ databaseUrl: database.url, env })).rejects.toThrow('is in use');
    await expect.poll(connections).toBe(before);
    client.close();
  });

  test('while Redis is frozen each server applies its own limit, and the shared one after it', async () => {
    const [first, second] = servers;
    if (!first || !second) throw new Error('two servers');
    const { apiKey } = await first.createTenant();
    const [here, there] = [apiOf(first.baseUrl, apiKey), apiOf(second.baseUrl, apiKey)];
    // It keeps its connections and answers nothing.
    process.kill(redis.pid, 'SIGSTOP');
    try {
      const remaining = [];
      for (let i = 0; i < 10; i++) remaining.push((await here('/v1/me')).headers.get(HEADERS.rateRemaining));
      expect(remaining).toEqual(Array.from({ length: 10 }, (_, i) => String(9 - i)));
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    // The server's own count is used up, so Redis counts this request.
    await expect.poll(async () => (await here('/v1/me')).status).toBe(200);
    expect((await there('/v1/me')).status).toBe(200);
  });

  test('the limit holds across servers, and without Redis each server applies its own', async () => {
    const [first, second] = servers;
    if (!first || !second) throw new Error('two servers');
    const { apiKey } = await first.createTenant();
    const [here, there] = [apiOf(first.baseUrl, apiKey), apiOf(second.baseUrl, apiKey)];
    for (let i = 0; i < 5; i++) {
      const { headers } = await here('/v1/me');
      expect(headers.get(HEADERS.rateRemaining)).toBe(String(9 - 2 * i));
      expect(Number(headers.get(HEADERS.rateReset))).toBeLessThanOrEqual(Date.now() / 1000 + 61);
      expect((await there('/v1/me')).headers.get(HEADERS.rateRemaining)).toBe(String(8 - 2 * i));
    }
    expectRefusal(await here('/v1/me'), 'RATE_LIMITED');
    expectRefusal(await there('/v1/me'), 'RATE_LIMITED');
    // Counters of other requests have their own keys.
    await fetch(`${first.baseUrl}/openapi.json`);
    const client = await connectRedis(redis.url);
    const keys = await client.call('KEYS', '*');
    client.close();
    expect(keys).toEqual(expect.arrayContaining([expect.stringMatching(/^plat:rate:key_/), ADDRESS_KEY]));

    await redis.kill();
    // A refusal is repeated for a second.
    await expect.poll(async () => (await here('/v1/me')).status).toBe(200);
    const answers = [];
    for (let i = 0; i < 11; i++) answers.push(await here('/v1/me'));
    expect(answers.slice(0, 8).map(({ status }) => status)).toEqual(Array(8).fill(200));
    const last = answers.at(-1);
    if (last) expectRefusal(last, 'RATE_LIMITED');
  });
});
