import { select, type TestServer } from '@plat/server/testing';
import type { Life } from './herd.ts';

/** When each process was last heard of by the others, through the database. */
export interface Heartbeats {
  /** Whether nothing was heard of a process for so long before a moment that the others may have taken its share. */
  isSilent(life: Life, at: number): boolean;
  stop(): Promise<void>;
}

const POLL_MS = 100;

/** Watches the beats that dispatchers write, and keeps when each was seen. */
export function watchHeartbeats(db: TestServer['db'], leaseMs: number): Heartbeats {
  /** Process id → the times of its beats. A number that comes again belongs to a later life. */
  const beats = new Map<number, { last: string; readonly seen: number[] }>();
  let isStopping = false;

  async function look(): Promise<void> {
    const rows = await select<{ id: string; beats: number }>(db, 'SELECT id, beats FROM dispatchers');
    for (const row of rows) {
      const pid = Number(row.id.split(':')[1]);
      const now = `${row.id} ${row.beats}`;
      const known = beats.get(pid) ?? { last: '', seen: [] };
      if (known.last !== now) known.seen.push(performance.now());
      beats.set(pid, { ...known, last: now });
    }
  }

  const watching = (async () => {
    while (!isStopping) {
      // A look that fails is a beat unseen.
      await look().catch(() => undefined);
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  })();

  return {
    isSilent({ pid, spawnedAt }, at) {
      const before = beats.get(pid)?.seen.filter((seen) => seen >= spawnedAt && seen <= at) ?? [];
      // A beat is seen late, never early: half of the lease leaves room for that.
      return at - (before.at(-1) ?? spawnedAt) > leaseMs / 2;
    },
    async stop() {
      isStopping = true;
      await watching;
    },
  };
}
