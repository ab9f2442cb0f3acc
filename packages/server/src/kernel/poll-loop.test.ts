import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PolledWork, PollLoop } from './poll-loop.ts';

const POLL_MS = 1_000;

interface FakeWork extends PolledWork {
  due: number;
  looks: number;
  look(): Promise<boolean>;
  readonly failures: unknown[];
}

/** A queue of so many things, of which a look does one. */
function fakeWork(due = 0): FakeWork {
  const work: FakeWork = {
    due,
    looks: 0,
    failures: [],
    pollMs: POLL_MS,
    async look() {
      work.looks++;
      if (work.due === 0) return false;
      work.due--;
      return true;
    },
    failed(error: unknown) {
      work.failures.push(error);
    },
    isAnyDue: async () => work.due > 0,
  };
  return work;
}

/** Ends when it is told to. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

let loop: PollLoop;
afterEach(() => loop.stop());

describe('when it looks', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('again and again while there is work, then once in each poll', async () => {
    const work = fakeWork(3);
    loop = new PollLoop(work);
    loop.start();
    await vi.advanceTimersByTimeAsync(POLL_MS - 1);
    expect(work).toMatchObject({ due: 0, looks: 4 });
    await vi.advanceTimersByTimeAsync(1);
    expect(work.looks).toBe(5);
    await vi.advanceTimersByTimeAsync(2 * POLL_MS);
    expect(work.looks).toBe(7);
  });

  test('at once when it is woken', async () => {
    const work = fakeWork();
    loop = new PollLoop(work);
    loop.start();
    await vi.advanceTimersByTimeAsync(1);
    work.due = 1;
    loop.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(work).toMatchObject({ due: 0, looks: 3 });
  });

  test('later and later while looks fail, at most every 30 s, and as before after one that succeeded', async () => {
    const work = fakeWork();
    const { look } = work;
    const away = new Error('the database is away');
    work.look = async () => {
      await look();
      throw away;
    };
    loop = new PollLoop(work);
    loop.start();
    await vi.advanceTimersByTimeAsync(0);
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      const { looks } = work;
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      expect(work.looks).toBe(looks);
      await vi.advanceTimersByTimeAsync(1);
      expect(work.looks).toBe(looks + 1);
    }
    expect(work.failures).toEqual(Array.from({ length: 8 }, () => away));

    work.look = look;
    await vi.advanceTimersByTimeAsync(30_000);
    const { looks } = work;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(work.looks).toBe(looks + 1);
    work.look = async () => {
      throw away;
    };
    await vi.advanceTimersByTimeAsync(2 * POLL_MS);
    expect(work.failures).toHaveLength(10);
  });
});

test('it is idle when nothing is due, looked at or under way', async () => {
  const looking = gate();
  let isBusy = false;
  const work = fakeWork(1);
  const { look } = work;
  const slow: PolledWork = {
    ...work,
    isBusy: () => isBusy,
    async look() {
      const goesOn = await look();
      if (!goesOn) return false;
      await looking.opened;
      isBusy = true;
      return true;
    },
  };
  loop = new PollLoop(slow);
  /** Whether there was nothing to wait for. */
  const isIdle = async () => {
    const signal = AbortSignal.timeout(20);
    await loop.idle(signal);
    return !signal.aborted;
  };
  await loop.idle();
  loop.start();
  await expect.poll(() => work.due).toBe(0);
  expect(await isIdle()).toBe(false);
  looking.open();
  await expect.poll(() => isBusy).toBe(true);
  expect(await isIdle()).toBe(false);
  isBusy = false;
  await loop.idle();
});

test('who waits for it to be idle wakes it', async () => {
  const work = fakeWork();
  loop = new PollLoop({ ...work, pollMs: 3_600_000 });
  loop.start();
  await loop.idle();
  work.due = 1;
  await loop.idle();
  expect(work.due).toBe(0);
});

test('a stop waits for the look under way, and nothing begins after it', async () => {
  const looking = gate();
  const work = fakeWork(5);
  const { look } = work;
  work.look = async () => {
    await looking.opened;
    return look();
  };
  loop = new PollLoop(work);
  loop.start();
  const seen: string[] = [];
  const stopping = loop.stop().then(() => seen.push('stopped'));
  expect(loop.isRunning).toBe(false);
  await loop.idle();
  seen.push('idle');
  looking.open();
  await stopping;
  loop.start();
  expect(loop.isRunning).toBe(false);
  expect(work).toMatchObject({ due: 4, looks: 1 });
  expect(seen).toEqual(['idle', 'stopped']);
});
