import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '../../db/database.ts';
import { MAX_JOB_AGE_MS, QueuePoller } from './queue-poller.ts';
import type { Scheduler } from './scheduler.ts';

const POLL_MS = 1_000;
const RECENT_POLL_MS = 100;
const scheduler = { size: 0, unload: vi.fn(), forgetEnded: vi.fn() };
const ring = vi.fn();
let unread = 0;

beforeEach(() => {
  vi.clearAllMocks();
  unread = 0;
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => vi.useRealTimers());

/** A poller whose database cannot be read. Without shards it reads nothing. */
const createPoller = () =>
  new QueuePoller({
    db: {} as Database,
    log: pino({}, { write: () => void unread++ }),
    alarm: { ring, sleep: async () => {} } as never,
    scheduler: scheduler as unknown as Scheduler,
    pollMs: POLL_MS,
    recentPollMs: RECENT_POLL_MS,
    dueBy: () => 0,
  });

const advance = (ms: number) => void vi.advanceTimersByTime(ms);

it('makes recent scans at their interval, and full ones at theirs, each of which unloads stale jobs', async () => {
  const poller = createPoller();
  expect(await poller.poll([])).toBe(true);
  expect(scheduler.unload).toHaveBeenLastCalledWith(performance.now() - MAX_JOB_AGE_MS);
  await poller.stop();
  expect(ring).toHaveBeenCalledOnce();
  advance(RECENT_POLL_MS - 1);
  expect([await poller.poll([]), poller.restMs]).toEqual([false, 1]);
  advance(1);
  expect([await poller.poll([]), poller.restMs]).toEqual([true, RECENT_POLL_MS]);
  advance(POLL_MS - RECENT_POLL_MS - 1);
  await poller.poll([]);
  expect(scheduler.unload).toHaveBeenCalledOnce();
  expect(poller.restMs).toBe(1);
  advance(1);
  await poller.poll([]);
  expect(scheduler.unload).toHaveBeenCalledTimes(2);
});

it('scans at once on request', async () => {
  const poller = createPoller();
  await poller.poll([]);
  await poller.stop();
  poller.requestRecentScan();
  expect([poller.restMs <= 0, await poller.poll([]), scheduler.unload.mock.calls.length]).toEqual([true, true, 1]);
  poller.requestScan();
  expect([poller.restMs <= 0, await poller.poll([]), scheduler.unload.mock.calls.length]).toEqual([true, false, 2]);
});

it('forgets ended deliveries every five seconds', async () => {
  const poller = createPoller();
  advance(4_999);
  await poller.poll([]);
  await poller.stop();
  expect(scheduler.forgetEnded).not.toHaveBeenCalled();
  advance(1);
  await poller.poll([]);
  await poller.stop();
  await poller.poll([]);
  expect(scheduler.forgetEnded).toHaveBeenCalledOnce();
});

it('repeats a failed full scan without waiting for the interval', async () => {
  const poller = createPoller();
  for (const failures of [1, 2]) {
    await expect(poller.poll([1])).rejects.toThrow();
    await poller.stop();
    expect([unread, ring.mock.calls.length]).toEqual([failures, failures]);
    advance(RECENT_POLL_MS);
  }
});
