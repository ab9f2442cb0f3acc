import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestServer } from '@plat/server/testing';
import { apiOf } from '../support/api.ts';
import { createDatabase, databaseUrl } from '../support/database-server.ts';
import { login, signedInDeveloper } from '../support/developer.ts';
import { startMariadb } from '../support/mariadb.ts';
import { postForm, refreshForm, secretOf } from '../support/oauth.ts';
import { startReceiver } from '../support/receiver.ts';
import { startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Drill, DrillResult } from './drill.ts';
import { quantile } from './quantile.ts';

const TARGET_MS = 1_000;

/** Time from the response that ends an app's access to the delivery that reports it, with two servers. */
export const revocation: Drill = {
  summary: 'Time until an app hears of a revocation or a reuse, and of tokens that work after it, with two servers',
  async run(args): Promise<DrillResult> {
    const rounds = Number(args.find((word) => /^\d+$/.test(word)) ?? 100);
    const database = await startMariadb();
    const receiver = await startReceiver();
    await createDatabase(database, 'plat');
    const env = {
      DATABASE_URL: databaseUrl(database, 'plat'),
      PLAT_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    const here = await createTestServer({ databaseUrl: env.DATABASE_URL, env: { ...env, PLAT_DISPATCH: 'false' } });
    const folder = tempFolder('revocation').path;
    const servers = await Promise.all([1, 2].map((n) => startServerProcess(env, `${folder}/${n}`)));
    try {
      const developer = await signedInDeveloper(here);
      const { token } = await login(here, developer);
      const app = await here.createApp({ developerId: developer.id, verified: true });
      const [first, second] = servers.map(({ baseUrl }) => baseUrl);
      await apiOf(first ?? '', token)(`/developer/v1/apps/${app.appId}/webhooks/endpoints`, {
        body: { url: receiver.url, events: ['installation.revoked'] },
      });
      const arrivals: number[] = [];
      receiver.answer((_req, res) => {
        arrivals.push(performance.now());
        res.writeHead(204).end();
      });
      const delays: number[] = [];
      let alive = 0;
      for (let i = 0; i < rounds; i++) {
        const { tenantId } = await here.createTenant({ sandbox: false });
        const { tokens } = await here.grantTokens({ app, tenantId });
        const form = { token: tokens.refresh_token, ...secretOf(app) };
        if (i % 2) await postForm(`${first}/oauth/revoke`, form);
        else
          for (const at of [first, second]) await postForm(`${at}/oauth/token`, refreshForm(app, tokens.refresh_token));
        const endedAt = performance.now();
        for (const at of [first, second]) {
          if ((await apiOf(at ?? '', tokens.access_token)('/v1/me')).status !== 401) alive++;
        }
        while (arrivals.length <= i) await pause(1);
        delays.push(Math.max(0, (arrivals[i] ?? 0) - endedAt));
        // The dispatchers are idle again at a random time of their poll interval.
        await pause(50 + Math.random() * 150);
      }
      const [p50, p99, max] = [0.5, 0.99, 1].map((part) => quantile(delays, part));
      const rows = [
        `${rounds} ends of access, half revoked and half by reuse; time from the response to the delivery in ms`,
        `p50  ${p50?.toFixed(1)}`,
        `p99  ${p99?.toFixed(1)}`,
        `max  ${max?.toFixed(1)}  (target ${TARGET_MS})`,
        `tokens that worked afterwards, in either process: ${alive}  (target 0)`,
      ];
      return { sound: alive === 0 && (max ?? 0) <= TARGET_MS, report: rows.join('\n') };
    } finally {
      await Promise.all([...servers.map((server) => server.stop()), here.close()]);
      await Promise.all([receiver.close(), database.stop()]);
    }
  },
};
