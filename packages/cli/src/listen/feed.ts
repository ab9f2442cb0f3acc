import { timeOfId } from '@plat/contract';
import type { Feed, PollResult } from '../polling/poll.ts';
import type { Cursor } from './cursor.ts';
import { lowestEventId } from './event-ids.ts';
import type { EventSource, ListedEvent } from './source.ts';

/**
 * Maximum delay in ms between the time in the id of an event and its visibility. The id has the time of the request,
 * by the clock of the server process; the event is visible after the commit. The server retries a conflicting
 * transaction seven times, each with a lock timeout of up to 50 s (15 s on SQLite): seven minutes. The rest allows
 * clocks of server processes to differ by ten minutes.
 */
const LATENESS_MS = 20 * 60_000;

/** Range of every poll: nearly all late events are late by milliseconds. */
const NEAR_MS = 2_000;

/**
 * Creates a feed of the unprocessed events, in the order of their ids. `handle` receives each event that is new to
 * the cursor, and marks it as processed.
 */
export function createFeed(source: EventSource, cursor: Cursor, handle: (event: ListedEvent) => Promise<void>): Feed {
  async function walk(from: string, passed: (id: string) => Promise<void> = async () => {}): Promise<PollResult> {
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
      // An empty page ends the walk, even if it says `has_more`.
      more = page.more && page.events.length > 0;
    }
    return { found, requests };
  }

  return {
    latest: () => walk(higher(cursor.settled, lowestEventId(timeOfId(cursor.latest) - NEAR_MS))),
    async sweep() {
      // Every event older than the newest by the maximum delay is visible by now, so the walk has met it.
      const newest = await source.newest();
      const horizon = newest === null ? cursor.settled : settledBy(newest);
      const { found, requests } = await walk(cursor.settled, (id) => cursor.settle(lower(id, horizon)));
      await cursor.settle(horizon);
      return { found, requests: requests + 1 };
    },
  };
}

/** Returns the id below which no event can appear after this event is visible. */
export function settledBy(newest: string): string {
  return lowestEventId(timeOfId(newest) - LATENESS_MS);
}

function higher(a: string, b: string): string {
  return a > b ? a : b;
}

function lower(a: string, b: string): string {
  return a < b ? a : b;
}
