// A process of an app that acts for one tenant through a folder of grants. Tests start it, and may kill it.

import type { GrantStore } from '../oauth/grant-store.ts';
import { OAuth } from '../oauth/oauth.ts';
import { fileStore } from '../oauth/stores/file-store.ts';
import { APP, REDIRECT_URI } from './fake-app.ts';

/** Steps at which a process can be stopped forever. The service stops the request itself. */
export const STEPS = ['locked', 'marking', 'marked', 'saving', 'saved', 'releasing'] as const;
export type Step = (typeof STEPS)[number];

/** Command-line argument of a process. */
export interface Orders {
  readonly baseUrl: string;
  readonly folder: string;
  readonly key: string;
  readonly calls: number;
  readonly settle: number;
  /** Step at which the process prints `at <step>` and stops. */
  readonly stopAt?: Step;
}

const orders: Orders = JSON.parse(process.argv[2] ?? '{}');
const { baseUrl, folder, key, calls, settle } = orders;
const oauth = new OAuth({ ...APP, baseUrl, redirectUri: REDIRECT_URI, store: stopping(fileStore(folder)), settle });
const platform = oauth.actingFor(key, { maxRetries: 0 });

process.stdin.once('data', async () => {
  const results = await Promise.allSettled(Array.from({ length: calls }, () => platform.me.get()));
  const codes = results.map((result) => (result.status === 'fulfilled' ? 'ok' : String(result.reason.code)));
  process.stdout.write(`${JSON.stringify(codes)}\n`, () => process.exit(0));
});
process.stdout.write('ready\n');

/** Wraps a store so that it can stop before and after each call. */
function stopping(store: GrantStore): GrantStore {
  const at = async (step: Step): Promise<void> => {
    if (orders.stopAt !== step) return;
    process.stdout.write(`at ${step}\n`);
    await new Promise(() => setInterval(() => {}, 1_000));
  };
  return {
    id: store.id,
    get: store.get,
    async compareAndSet(name, expected, next) {
      const isMark = next.value.includes('"pending"');
      await at(isMark ? 'marking' : 'saving');
      const done = await store.compareAndSet(name, expected, next);
      await at(isMark ? 'marked' : 'saved');
      return done;
    },
    async tryLock(name) {
      const lock = await store.tryLock?.(name);
      if (!lock || 'heldBy' in lock) return lock ?? { heldBy: 'nobody' };
      await at('locked');
      return {
        async release() {
          await at('releasing');
          await lock.release();
        },
      };
    },
  };
}
