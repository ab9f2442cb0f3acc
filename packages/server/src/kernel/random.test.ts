import { afterEach, expect, test } from 'vitest';
import { newId } from './ids.ts';
import { isSeeded, randomBytes, randomInt, seedRandom } from './random.ts';
import { newToken } from './tokens.ts';

const development = { mode: 'development' } as const;
let end = (): void => undefined;
afterEach(() => end());

/** Returns generated values, in a fixed order. */
function drawn(seed: number): unknown[] {
  end = seedRandom(seed, development);
  const made = [newId('client', 1), newId('client', 1), newToken('whsec_'), randomInt(7, 'x'), randomBytes(9, 'y')];
  end();
  return made;
}

test('one seed gives the same values, another seed others, and no seed new ones each time', () => {
  expect(drawn(1)).toEqual(drawn(1));
  const [one, two] = [drawn(1), drawn(2)];
  for (const index of [0, 1, 2, 4]) expect(one[index]).not.toEqual(two[index]);
  expect(isSeeded()).toBe(false);
  expect(newToken('whsec_')).not.toBe(newToken('whsec_'));
});

test('values of one purpose do not affect those of another', () => {
  end = seedRandom(1, development);
  randomBytes(32, 'other');
  const after = randomBytes(32, 'mine');
  end();
  end = seedRandom(1, development);
  expect(randomBytes(32, 'mine')).toEqual(after);
});

test('numbers from a seed are within their bounds, and each number occurs', () => {
  end = seedRandom(3, development);
  const numbers = Array.from({ length: 400 }, () => randomInt(7, 'dice'));
  expect(new Set(numbers)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
});

test('production cannot be seeded, and a process cannot be seeded twice', () => {
  expect(() => seedRandom(1, { mode: 'production' })).toThrow(/production/);
  expect(isSeeded()).toBe(false);
  end = seedRandom(1, development);
  expect(() => seedRandom(1, development)).toThrow(/already/);
});
