import { createHash, randomBytes as drawBytes, randomInt as drawInt } from 'node:crypto';

/**
 * The one source of what the service makes up: ids, tokens, secrets, codes, nonces and keys. It is the operating system's
 * generator, unless a development server was told to make up the same things in each run.
 */
export function randomBytes(size: number, purpose: string): Buffer {
  return seeded ? seeded(size, purpose) : drawBytes(size);
}

/** A whole number from 0 to `below` - 1; at most 65,536 of them. */
export function randomInt(below: number, purpose: string): number {
  if (!seeded) return drawInt(below);
  // Without a bias: what lies above the last whole multiple is drawn again.
  const limit = 0x10000 - (0x10000 % below);
  for (;;) {
    const drawn = seeded(2, purpose).readUInt16BE();
    if (drawn < limit) return drawn % below;
  }
}

/** Whether all that is made up follows from a seed, so that none of it is a secret. */
export function isSeeded(): boolean {
  return seeded !== null;
}

/**
 * From now on all that this process makes up follows from the seed. Each purpose has a stream of its own, so that what one
 * part of the server draws moves nothing of another's. For the development mode, and for one server of a process at a time.
 * @returns what ends that
 * @throws Error in production, whatever the configuration says by then
 */
export function seedRandom(seed: number, { mode }: { readonly mode: 'development' | 'production' }): () => void {
  if (mode !== 'development') throw new Error('what production makes up follows from no seed');
  if (seeded) throw new Error('a server of this process is seeded already');
  const drawn = new Map<string, number>();
  seeded = (size, purpose) => {
    const count = drawn.get(purpose) ?? 0;
    drawn.set(purpose, count + 1);
    return createHash('shake256', { outputLength: size }).update(`plat ${seed} ${count} ${purpose}`).digest();
  };
  for (const forget of listeners) forget();
  return () => {
    seeded = null;
  };
}

/** Calls back when a process begins anew with a seed: what follows from earlier draws is to be forgotten. */
export function onSeeded(forget: () => void): void {
  listeners.push(forget);
}

let seeded: ((size: number, purpose: string) => Buffer) | null = null;
const listeners: (() => void)[] = [];
