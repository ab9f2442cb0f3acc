import { memoryStore, OAuth } from '@plat/sdk/oauth';
import type { Contestant } from '../lib/rounds.ts';

export const CALLS = 1_000;
export const REFRESH = { valid: 'a valid token', expired: 'an expired token' } as const;

const HOUR = 3_600_000;

/** Sends calls for one tenant at once; returns the milliseconds until the last response. */
export async function refreshContestants(port: number): Promise<Contestant<number>[]> {
  const baseUrl = `http://127.0.0.1:${port}`;
  let later = 0;
  const clock = {
    now: () => Date.now() + later,
    after(ms: number, run: () => void) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    uuid: () => crypto.randomUUID(),
  };
  const redirectUri = 'https://app.example/callback';
  const app = { clientId: 'app_1', clientSecret: 'plat_cs_bench', redirectUri, baseUrl, store: memoryStore(), clock };
  const oauth = new OAuth(app);
  const pending = await oauth.authorizationUrl({ scopes: ['clients:read'] });
  const { key } = await oauth.exchange({ code: 'plat_ac_bench', state: pending.state, iss: baseUrl }, pending);
  const platform = oauth.actingFor(key);
  const callAll = async (): Promise<number> => {
    const start = performance.now();
    await Promise.all(Array.from({ length: CALLS }, () => platform.clients.get('cli_01k9zq3v5h6x8m2n4p7r000001')));
    return performance.now() - start;
  };
  return [
    { name: REFRESH.valid, sample: callAll },
    {
      name: REFRESH.expired,
      sample: () => {
        later += 2 * HOUR;
        return callAll();
      },
    },
  ];
}
