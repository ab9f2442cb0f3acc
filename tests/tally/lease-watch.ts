import { setTimeout as wait } from 'node:timers/promises';
import { select, type TestServer } from '@plat/server/testing';
import type { Life } from './herd.ts';
import type { Arrival } from './receivers.ts';

/** Until when each process may send to each endpoint, as the database says it. */
export interface LeaseWatch {
  /**
   * Whether the lease under which a living process has sent had run out at a later moment, so that another one could take
   * it: as far as was seen, which is every tenth of a second.
   */
  hadRunOut(endpointId: string, sender: Life, sent: Arrival, at: number): boolean;
  stop(): Promise<void>;
}

/** One look at a lease, by this process's monotonic clock. */
interface Sight {
  readonly seenAt: number;
  readonly until: number;
}

interface LeaseRow {
  readonly endpoint_id: string;
  readonly owner: string;
  readonly expires_at: number;
}

const POLL_MS = 100;

/** Watches the leases of a database whose clock is this machine's. */
export function watchLeases(db: TestServer['db'], leaseMs: number): LeaseWatch {
  const sights = new Map<string, Sight[]>();
  let isStopping = false;

  async function look(): Promise<void> {
    const rows = await select<LeaseRow>(
      db,
      `SELECT DISTINCT s.endpoint_id, l.owner, l.expires_at FROM shard_leases l
       JOIN webhook_subscriptions s ON s.shard = l.shard WHERE l.owner IS NOT NULL`,
    );
    const seenAt = performance.now();
    for (const { endpoint_id, owner, expires_at } of rows) {
      // A dispatcher's name is host:pid:id. A number that comes again belongs to a later life.
      const seen = sightsOf(endpoint_id, Number(owner.split(':')[1]));
      const until = seenAt + Number(expires_at) - Date.now();
      const last = seen.at(-1);
      if (!last || until > last.until + 1) seen.push({ seenAt, until });
    }
  }

  function sightsOf(endpointId: string, pid: number): Sight[] {
    const key = `${endpointId} ${pid}`;
    const seen = sights.get(key) ?? [];
    sights.set(key, seen);
    return seen;
  }

  const watching = (async () => {
    while (!isStopping) {
      // A look that fails has seen nothing.
      await look().catch(() => undefined);
      await wait(POLL_MS);
    }
  })();

  return {
    hadRunOut(endpointId, { pid, spawnedAt }, sent, at) {
      const seen = sightsOf(endpointId, pid).filter(({ seenAt }) => seenAt > spawnedAt && seenAt <= at);
      // One that was never seen was taken just before the process sent.
      return (seen.at(-1)?.until ?? sent.at + leaseMs) <= at;
    },
    async stop() {
      isStopping = true;
      await watching;
    },
  };
}
