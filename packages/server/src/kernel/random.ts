import { createHash, randomBytes as drawBytes, randomInt as drawInt } from 'node:crypto';

/**
 * The only source of generated values: ids, tokens, secrets, codes, nonces and keys. It is the operating system's
 * generator, unless a development server is seeded.
 */
export function randomBytes(size: number, purpose: string): Buffer {
  return seeded ? seeded(size, purpose) : drawBytes(size);
}

/** Returns an integer from 0 to `below` - 1. `below` is at most 65,536. */
export function randomInt(below: number, purpose: string): number {
  if (!seeded) return drawInt(below);
  // Avoids a bias: values above the last whole multiple are drawn again.
  const limit = 0x10000 - (0x10000 % below);
  for (;;) {
    const drawn = seeded(2, purpose).readUInt16BE();
    if (drawn < limit) return drawn % below;
  }
}

/** Returns true if generated values are derived from a seed, so that none of them is a secret. */
export function isSeeded(): boolean {
  return seeded !== null;
}

/**
 * Derives all further generated values of this process from the seed. Each purpose has its own stream, so that one part
 * of the server does not affect the values of another. For the development mode, with one server per process at a time.
 * @returns a function that ends the seeding
 * @throws Error in production, regardless of the configuration
 */
export function seedRandom(seed: number, { mode }: { readonly mode: 'development' | 'production' }): () => void {
  if (mode !== 'development') throw new Error('generated values must not be predictable in production');
  if (seeded) throw new Error('this process already has a seeded server');
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

/** Registers a callback for a new seed, which must discard values from earlier draws. */
export function onSeeded(forget: () => void): void {
  listeners.push(forget);
}

let seeded: ((size: number, purpose: string) => Buffer) | null = null;
const listeners: (() => void)[] = [];
