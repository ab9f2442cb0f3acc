import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestServer } from '@plat/server/testing';
import { apiOf } from '../support/api.ts';
import { createDatabase, databaseUrl } from '../support/database-server.ts';
import { startMariadb } from '../support/mariadb.ts';
import { startReceiver } from '../support/receiver.ts';
import { startRedis } from '../support/redis.ts';
import { startServerProcess, startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Drill, DrillResult } from './drill.ts';
import { quantile } from './quantile.ts';

const TARGET_P99_MS = 50;

/** Time from a commit to the first byte of its delivery, in an idle system with a separate worker. */
export const wake: Drill = {
  summary: 'Time from the response of a change to its delivery by an idle worker; --no-redis: by polls alone',
  async run(args): Promise<DrillResult> {
    const withRedis = !args.includes('--no-redis');
    const changes = Number(args.find((word) => /^\d+$/.test(word)) ?? 300);
    const database = await startMariadb();
    const redis = withRedis ? await startRedis() : null;
    const receiver = await startReceiver();
    await createDatabase(database, 'plat');
    const env = {
      DATABASE_URL: databaseUrl(database, 'plat'),
      PLAT_MASTER_KEY: randomBytes(32).toString('base64'),
      ...(redis && { REDIS_URL: redis.url }),
    };
    const seeder = await createTestServer({ databaseUrl: env.DATABASE_URL, env: { ...env, PLAT_DISPATCH: 'false' } });
    const { apiKey } = await seeder.createTenant();
    await seeder.close();
    const folder = tempFolder('wake').path;
    const server = await startServerProcess(env, `${folder}/server`, 'serve', '--no-dispatch');
    const worker = await startWorkerProcess(env, `${folder}/worker`);
    try {
      const api = apiOf(server.baseUrl, apiKey);
      await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
      const arrivals: number[] = [];
      receiver.answer((_req, res) => {
        arrivals.push(performance.now());
        res.writeHead(204).end();
      });
      const delays: number[] = [];
      // The first ones open connections.
      for (let i = -10; i < changes; i++) {
        const { status } = await api('/v1/clients', { body: { name: 'Woken' } });
        const committedAt = performance.now();
        if (status !== 201) throw new Error(`the change was answered ${status}`);
        while (arrivals.length < i + 11) await pause(1);
        if (i >= 0) delays.push(Math.max(0, (arrivals.at(-1) ?? 0) - committedAt));
        // The worker is idle again at a random time of its poll interval.
        await pause(50 + Math.random() * 150);
      }
      const [p50, p99, max] = [0.5, 0.99, 1].map((part) => quantile(delays, part));
      const rows = [
        `${changes} changes, ${withRedis ? 'Redis' : 'no Redis'}, time from response to delivery in ms`,
        `p50  ${p50?.toFixed(1)}`,
        `p99  ${p99?.toFixed(1)}  (target ${withRedis ? TARGET_P99_MS : 'none'})`,
        `max  ${max?.toFixed(1)}`,
      ];
      return { sound: !withRedis || (p99 ?? 0) <= TARGET_P99_MS, report: rows.join('\n') };
    } finally {
      await Promise.all([server.stop(), worker.stop()]);
      await Promise.all([receiver.close(), redis?.stop(), database.stop()]);
    }
  },
};
