import { expect, it } from 'vitest';
import { follow, type Look } from './follow.ts';

/** Follows a feed for some looks, and tells which there were and how long it waited after each. */
async function followed(
  looks: number,
  {
    found = () => 0,
    requests = 1,
    short = false,
  }: { found?: (look: number) => number; requests?: number; short?: boolean },
) {
  const kinds: string[] = [];
  const waits: number[] = [];
  const look = (kind: string) => async (): Promise<Look> => {
    kinds.push(kind);
    return { found: found(kinds.length), requests: kind === 'sweep' ? requests : 1 };
  };
  const end = new Error('the end');
  const ended = follow(
    { near: look('near'), sweep: look('sweep') },
    () => short,
    async (ms) => {
      waits.push(ms);
      if (waits.length === looks) throw end;
    },
  );
  await expect(ended).rejects.toBe(end);
  return { kinds, waits };
}

it('looks once a second while nothing happens, and every ten seconds at everything', async () => {
  const { kinds, waits } = await followed(21, {});
  expect(new Set(waits)).toEqual(new Set([1000]));
  expect(kinds.flatMap((kind, n) => (kind === 'sweep' ? [n] : []))).toEqual([0, 10, 20]);
});

it('looks four times a second while things happen, and for ten seconds after', async () => {
  const { waits } = await followed(60, { found: (look) => (look === 5 ? 1 : 0) });
  expect(waits.slice(0, 4)).toEqual([1000, 1000, 1000, 1000]);
  expect(waits.slice(4, 44)).toEqual(Array(40).fill(250));
  expect(waits[44]).toBe(1000);
});

it('sweeps the rarer the more requests that takes', async () => {
  const { kinds } = await followed(70, { requests: 30 });
  expect(kinds.flatMap((kind, n) => (kind === 'sweep' ? [n] : []))).toEqual([0, 30, 60]);
});

it('holds back while the key has few requests left', async () => {
  expect((await followed(3, { found: () => 1, short: true })).waits).toEqual([5000, 5000, 5000]);
});
