import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PolledWork, PollLoop } from './poll-loop.ts';

const POLL_MS = 1_000;

interface FakeWork extends PolledWork {
  due: number;
  polls: number;
  poll(): Promise<boolean>;
  readonly failures: unknown[];
}

/** A queue with `due` items. Each poll processes one. */
function fakeWork(due = 0): FakeWork {
  const work: FakeWork = {
    due,
    polls: 0,
    failures: [],
    pollMs: POLL_MS,
    async poll() {
      work.polls++;
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

/** Ends when the test releases it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

let loop: PollLoop;
afterEach(() => loop.stop());

describe('when it polls', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('repeatedly while work is due, then once per interval', async () => {
    const work = fakeWork(3);
    loop = new PollLoop(work);
    loop.start();
    await vi.advanceTimersByTimeAsync(POLL_MS - 1);
    expect(work).toMatchObject({ due: 0, polls: 4 });
    await vi.advanceTimersByTimeAsync(1);
    expect(work.polls).toBe(5);
    await vi.advanceTimersByTimeAsync(2 * POLL_MS);
    expect(work.polls).toBe(7);
  });

  test('at once when it is woken', async () => {
    const work = fakeWork();
    loop = new PollLoop(work);
    loop.start();
    await vi.advanceTimersByTimeAsync(1);
    work.due = 1;
    loop.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(work).toMatchObject({ due: 0, polls: 3 });
  });

  test('with a growing delay of at most 30 s while polls fail, and as before after a success', async () => {
    const work = fakeWork();
    const { poll } = work;
    const away = new Error('the database is away');
    work.poll = async () => {
      await poll();
      throw away;
    };
    loop = new PollLoop(work);
    loop.start();
    await vi.advanceTimersByTimeAsync(0);
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      const { polls } = work;
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      expect(work.polls).toBe(polls);
      await vi.advanceTimersByTimeAsync(1);
      expect(work.polls).toBe(polls + 1);
    }
    expect(work.failures).toEqual(Array.from({ length: 8 }, () => away));

    work.poll = poll;
    await vi.advanceTimersByTimeAsync(30_000);
    const { polls } = work;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(work.polls).toBe(polls + 1);
    work.poll = async () => {
      throw away;
    };
    await vi.advanceTimersByTimeAsync(2 * POLL_MS);
    expect(work.failures).toHaveLength(10);
  });
});

test('it is idle when no work is due or in progress', async () => {
  const polling = gate();
  let isBusy = false;
  const work = fakeWork(1);
  const { poll } = work;
  const slow: PolledWork = {
    ...work,
    isBusy: () => isBusy,
    async poll() {
      const pollAgain = await poll();
      if (!pollAgain) return false;
      await polling.opened;
      isBusy = true;
      return true;
    },
  };
  loop = new PollLoop(slow);
  /** Resolves to true if there was nothing to wait for. */
  const isIdle = async () => {
    const signal = AbortSignal.timeout(20);
    await loop.idle(signal);
    return !signal.aborted;
  };
  await loop.idle();
  loop.start();
  await expect.poll(() => work.due).toBe(0);
  expect(await isIdle()).toBe(false);
  polling.open();
  await expect.poll(() => isBusy).toBe(true);
  expect(await isIdle()).toBe(false);
  isBusy = false;
  await loop.idle();
});

test('a call that waits for idleness wakes it', async () => {
  const work = fakeWork();
  loop = new PollLoop({ ...work, pollMs: 3_600_000 });
  loop.start();
  await loop.idle();
  work.due = 1;
  await loop.idle();
  expect(work.due).toBe(0);
});

test('a stop waits for the current poll, and no other starts', async () => {
  const polling = gate();
  const work = fakeWork(5);
  const { poll } = work;
  work.poll = async () => {
    await polling.opened;
    return poll();
  };
  loop = new PollLoop(work);
  loop.start();
  const seen: string[] = [];
  const stopping = loop.stop().then(() => seen.push('stopped'));
  expect(loop.isRunning).toBe(false);
  await loop.idle();
  seen.push('idle');
  polling.open();
  await stopping;
  loop.start();
  expect(loop.isRunning).toBe(false);
  expect(work).toMatchObject({ due: 4, polls: 1 });
  expect(seen).toEqual(['idle', 'stopped']);
});
