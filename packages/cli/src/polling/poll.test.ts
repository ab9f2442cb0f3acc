import { expect, it } from 'vitest';
import { type PollResult, poll } from './poll.ts';

/** Polls a feed a number of times. Returns the kind of each poll and the wait after it. */
async function polled(
  polls: number,
  {
    found = () => 0,
    requests = 1,
    short = false,
  }: { found?: (poll: number) => number; requests?: number; short?: boolean },
) {
  const kinds: string[] = [];
  const waits: number[] = [];
  const pollOf = (kind: string) => async (): Promise<PollResult> => {
    kinds.push(kind);
    return { found: found(kinds.length), requests: kind === 'sweep' ? requests : 1 };
  };
  const end = new Error('stopped by the test');
  const ended = poll(
    { latest: pollOf('latest'), sweep: pollOf('sweep') },
    () => short,
    async (ms) => {
      waits.push(ms);
      if (waits.length === polls) throw end;
    },
  );
  await expect(ended).rejects.toBe(end);
  return { kinds, waits };
}

it('polls once a second while idle, and sweeps every ten seconds', async () => {
  const { kinds, waits } = await polled(21, {});
  expect(new Set(waits)).toEqual(new Set([1000]));
  expect(kinds.flatMap((kind, n) => (kind === 'sweep' ? [n] : []))).toEqual([0, 10, 20]);
});

it('polls four times a second while items arrive, and for ten seconds afterwards', async () => {
  const { waits } = await polled(60, { found: (n) => (n === 5 ? 1 : 0) });
  expect(waits.slice(0, 4)).toEqual([1000, 1000, 1000, 1000]);
  expect(waits.slice(4, 44)).toEqual(Array(40).fill(250));
  expect(waits[44]).toBe(1000);
});

it('sweeps less often when a sweep takes more requests', async () => {
  const { kinds } = await polled(70, { requests: 30 });
  expect(kinds.flatMap((kind, n) => (kind === 'sweep' ? [n] : []))).toEqual([0, 30, 60]);
});

it('polls every five seconds while the key has few requests left', async () => {
  expect((await polled(3, { found: () => 1, short: true })).waits).toEqual([5000, 5000, 5000]);
});
