import { setTimeout as wait } from 'node:timers/promises';
import { select, type TestServer } from '@plat/server/testing';
import type { Life } from './herd.ts';
import type { Arrival } from './receivers.ts';

/** Records from the database until when each process may send to each endpoint. */
export interface LeaseWatch {
  /**
   * Returns true if the lease under which a process sent had expired at a later time, so that another process could
   * take over. Leases are sampled every tenth of a second, or less often on a busy machine.
   */
  hadRunOut(endpointId: string, sender: Life, sent: Arrival, at: number): boolean;
  stop(): Promise<void>;
}

/**
 * An uninterrupted time for which a process held the lease of an endpoint's shard, by this process's monotonic clock.
 */
interface Tenure {
  readonly token: number;
  /** Expiry at the latest sample. */
  until: number;
}

interface LeaseRow {
  readonly endpoint_id: string;
  readonly owner: string;
  readonly token: number;
  readonly expires_at: number;
}

const POLL_MS = 100;

/** Watches the leases of a database whose clock is this machine's. */
export function watchLeases(db: TestServer['db'], leaseMs: number): LeaseWatch {
  const tenures = new Map<string, Tenure[]>();
  /** Times of the samples, ascending. */
  const samples: number[] = [];
  let isStopping = false;

  async function look(): Promise<void> {
    const at = performance.now();
    const rows = await select<LeaseRow>(
      db,
      `SELECT DISTINCT s.endpoint_id, l.owner, l.token, l.expires_at FROM shard_leases l
       JOIN webhook_subscriptions s ON s.shard = l.shard WHERE l.owner IS NOT NULL`,
    );
    for (const { endpoint_id, owner, token, expires_at } of rows) {
      // A dispatcher's name is host:pid:id.
      const known = tenuresOf(endpoint_id, Number(owner.split(':')[1]));
      const until = performance.now() + Number(expires_at) - Date.now();
      const last = known.at(-1);
      if (last?.token === token) last.until = until;
      else known.push({ token, until });
    }
    samples.push(at);
  }

  function tenuresOf(endpointId: string, pid: number): Tenure[] {
    const key = `${endpointId} ${pid}`;
    const known = tenures.get(key) ?? [];
    tenures.set(key, known);
    return known;
  }

  const watching = (async () => {
    while (!isStopping) {
      // A failed sample adds nothing.
      await look().catch(() => undefined);
      await wait(POLL_MS);
    }
  })();

  return {
    hadRunOut(endpointId, { pid }, sent, at) {
      // A busy machine notices an arrival late.
      const tenure = tenuresOf(endpointId, pid).find(({ until }) => until >= sent.at - leaseMs);
      if (tenure) return tenure.until <= at;
      // A lease that no sample contains was acquired between the last sample and the attempt.
      const sampledAt = samples.findLast((time) => time <= sent.at) ?? sent.at;
      return sampledAt + leaseMs <= at;
    },
    async stop() {
      isStopping = true;
      await watching;
    },
  };
}
