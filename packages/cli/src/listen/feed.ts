import { type PlatformEvent, timeOfId } from '@plat/contract';
import type { Feed, Look } from '../follow/follow.ts';
import type { Cursor } from './cursor.ts';
import { lowestEventId } from './event-ids.ts';
import type { EventSource } from './source.ts';

/**
 * How late an event may appear, in ms: one may have become visible when another whose id is older by less is still to
 * come. An id has the time at which the request was taken on, by the clock of its process; the event is visible when
 * the transaction has committed. The server repeats a transaction that conflicts seven times, and each try may wait for
 * a lock as long as the database lets it (50 s by default, 15 s on SQLite): seven minutes. The rest is for clocks of
 * server processes, which may be ten minutes apart: of two changes that are under way at once, one may have taken its
 * id by the clock that is behind.
 */
const LATENESS_MS = 20 * 60_000;

/** How far every look reaches back: nearly all that is late is late by milliseconds. */
const NEAR_MS = 2_000;

/**
 * The events that are not done with, in the order of their ids. Gives each that is new to the cursor to `handle`, which
 * sees to it that it is done with.
 */
export function createFeed(source: EventSource, cursor: Cursor, handle: (event: PlatformEvent) => Promise<void>): Feed {
  async function walk(from: string, passed: (id: string) => Promise<void> = async () => {}): Promise<Look> {
    let found = 0;
    let requests = 0;
    let position = from;
    for (let more = true; more; ) {
      const page = await source.after(position);
      requests++;
      for (const event of page.events) {
        if (!cursor.has(event.id)) {
          found++;
          await handle(event);
        }
        position = event.id;
      }
      await passed(position);
      // A page with nothing in it leads nowhere, whatever it says.
      more = page.more && page.events.length > 0;
    }
    return { found, requests };
  }

  return {
    near: () => walk(higher(cursor.settled, lowestEventId(timeOfId(cursor.latest) - NEAR_MS))),
    async sweep() {
      // All older than the newest by the lateness is visible by now, so the walk meets it.
      const newest = await source.newest();
      const horizon = newest === null ? cursor.settled : settledBy(newest);
      const { found, requests } = await walk(cursor.settled, (id) => cursor.settle(lower(id, horizon)));
      await cursor.settle(horizon);
      return { found, requests: requests + 1 };
    },
  };
}

/** Below which id nothing can appear any more when this event is visible. */
export function settledBy(newest: string): string {
  return lowestEventId(timeOfId(newest) - LATENESS_MS);
}

function higher(a: string, b: string): string {
  return a > b ? a : b;
}

function lower(a: string, b: string): string {
  return a < b ? a : b;
}
