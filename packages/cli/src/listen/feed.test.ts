import { timeOfId } from '@plat/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventAt } from '../testing/fake-tenant.ts';
import { emptyFolder } from '../testing/plat.ts';
import { createCursor } from './cursor.ts';
import { lowestEventId } from './event-ids.ts';
import { createFeed } from './feed.ts';
import type { EventSource, ListedEvent } from './source.ts';

const T = Date.UTC(2026, 0, 2);
const MINUTE = 60_000;
const PAGE = 3;

/** Creates a feed of events that a test makes visible, and records the yielded ones. */
async function world({ settled = T - MINUTE }: { readonly settled?: number } = {}) {
  let visible: readonly ListedEvent[] = [];
  let requests = 0;
  const source: EventSource = {
    id: 'tnt_1',
    isRateLimitLow: () => false,
    async newest() {
      requests++;
      return visible.at(-1)?.id ?? null;
    },
    async after(id) {
      requests++;
      const newer = visible.filter((event) => event.id > id);
      return { events: newer.slice(0, PAGE), more: newer.length > PAGE };
    },
  };
  const cursor = await createCursor(`${emptyFolder()}/c`, { settled: lowestEventId(settled), ids: [] });
  onTestFinished(() => cursor.close());
  const given: string[] = [];
  const on = { event: async (_event: ListedEvent): Promise<void> => {} };
  const feed = createFeed(source, cursor, async (event) => {
    await on.event(event);
    given.push(event.id);
    await cursor.done(event.id);
  });
  return {
    feed,
    source,
    cursor,
    given,
    on,
    requests: () => requests,
    commit(...events: readonly ListedEvent[]) {
      visible = [...visible, ...events].sort((a, b) => (a.id < b.id ? -1 : 1));
    },
  };
}

const ids = (...events: readonly ListedEvent[]) => events.map(({ id }) => id);

describe('a poll of the latest events', () => {
  it('yields each event once, in the order of ids, over several pages', async () => {
    const { feed, given, commit } = await world();
    const events = Array.from({ length: 8 }, (_, n) => eventAt(T + n, n));
    commit(...events.toReversed());
    expect(await feed.latest()).toEqual({ found: 8, requests: 3 });
    expect(given).toEqual(ids(...events));
    expect((await feed.latest()).found).toBe(0);
    expect(given).toHaveLength(8);
  });

  it('finds an event committed after a later one was yielded', async () => {
    const { feed, given, commit } = await world();
    commit(eventAt(T + 1500));
    await feed.latest();
    commit(eventAt(T));
    await feed.latest();
    expect(given).toEqual(ids(eventAt(T + 1500), eventAt(T)));
  });

  it('ends at an empty page, even if it says that there are more', async () => {
    const { feed, source } = await world();
    let requests = 0;
    source.after = async () => {
      requests++;
      return { events: [], more: requests === 1 };
    };
    expect(await feed.latest()).toEqual({ found: 0, requests: 1 });
  });

  it('sends one request when there are no new events', async () => {
    const { feed, commit, requests } = await world();
    commit(...Array.from({ length: 50 }, (_, n) => eventAt(T + n * MINUTE, n)));
    await feed.latest();
    const before = requests();
    await feed.latest();
    expect(requests() - before).toBe(1);
  });
});

describe('a sweep', () => {
  it('finds an event committed nearly twenty minutes late', async () => {
    const { feed, given, commit } = await world();
    commit(eventAt(T + 19 * MINUTE));
    await feed.sweep();
    commit(eventAt(T, 1));
    expect((await feed.latest()).found).toBe(0);
    expect((await feed.sweep()).found).toBe(1);
    expect(given).toEqual(ids(eventAt(T + 19 * MINUTE), eventAt(T, 1)));
    expect((await feed.sweep()).found).toBe(0);
  });

  it('settles older events only', async () => {
    const { feed, cursor, commit } = await world();
    commit(eventAt(T), eventAt(T + 30 * MINUTE));
    await feed.sweep();
    expect(timeOfId(cursor.settled)).toBe(T + 10 * MINUTE);
  });

  it('settles nothing without events', async () => {
    const { feed, cursor } = await world();
    expect(await feed.sweep()).toEqual({ found: 0, requests: 2 });
    expect(timeOfId(cursor.settled)).toBe(T - MINUTE);
  });

  it('finds late events after an event that took an hour', async () => {
    const { feed, given, commit, on } = await world();
    commit(...Array.from({ length: 4 }, (_, n) => eventAt(T + n, n)));
    on.event = async ({ id }) => {
      if (id !== eventAt(T).id) return;
      // Meanwhile an event is committed into a page already read, and an hour of events follows.
      commit(eventAt(T + 1, 9), ...Array.from({ length: 60 }, (_, n) => eventAt(T + n * MINUTE, 100 + n)));
    };
    await feed.sweep();
    expect(given).not.toContain(eventAt(T + 1, 9).id);
    await feed.latest();
    await feed.sweep();
    expect(given).toContain(eventAt(T + 1, 9).id);
    expect(new Set(given).size).toBe(65);
    expect(given).toHaveLength(65);
  });

  it('settles while it runs, so that memory stays bounded', async () => {
    const { feed, cursor, commit, on } = await world();
    commit(...Array.from({ length: 100 }, (_, n) => eventAt(T + n * MINUTE, n)));
    const behind: number[] = [];
    on.event = async ({ id }) => void behind.push((timeOfId(id) - timeOfId(cursor.settled)) / MINUTE);
    await feed.sweep();
    expect(Math.max(...behind.slice(0, 80))).toBeLessThanOrEqual(PAGE + 1);
  });
});
