import { createHash, randomFillSync } from 'node:crypto';
import { ID_DIGITS, ID_PREFIXES, type IdKind, idTime, lowestIdPart, timeOfId } from '@plat/contract';
import { isSeeded, onSeeded, randomBytes } from './random.ts';

/** Kinds of rows that are not objects of the API, with the prefixes of their ids. */
const ROW_PREFIXES = { mail: 'mai', fault: 'flt' } as const;
const PREFIXES = { ...ID_PREFIXES, ...ROW_PREFIXES };
type Kind = IdKind | keyof typeof ROW_PREFIXES;

const RANDOM_CHARACTERS = 16;
const HALF = RANDOM_CHARACTERS / 2;

const pool = Buffer.alloc(RANDOM_CHARACTERS * 256);
let poolOffset = pool.length;

/** The latest id of a kind. */
interface Last {
  time: number;
  readonly random: Uint8Array;
}
const lasts = new Map<Kind, Last>();
onSeeded(() => lasts.clear());

/**
 * Creates an id. Ids of one kind from one process sort in the order of their creation. Within a millisecond, the random
 * part grows by a random step, so that an id reveals neither those of other tenants nor their number (RFC 9562, section
 * 6.2, method 2).
 */
export function newId(kind: Kind, now: number = Date.now()): string {
  const last = lastOf(kind);
  if (now === last.time) increment(last.random);
  else {
    last.time = now;
    drawRandom(last.random, kind);
  }
  let opaque = '';
  for (const digit of last.random) opaque += ID_DIGITS.charAt(digit);
  return `${PREFIXES[kind]}_${idTime(now)}${opaque}`;
}

/** Returns the smallest id that an object of this kind created at `ms` can have, as a bound of time ranges. */
export function lowestIdAt(kind: Kind, ms: number): string {
  return `${PREFIXES[kind]}_${lowestIdPart(ms)}`;
}

/**
 * Returns the id of an object that is created with a tenant. It is derived from the tenant's id, so a reset gives the
 * object the same id. `index` (0 to 31) orders objects of one kind.
 */
export function seededId(tenantId: string, kind: IdKind, index: number): string {
  const digest = createHash('sha256').update(`${tenantId} ${kind} ${index}`).digest();
  let opaque = ID_DIGITS.charAt(index);
  for (const byte of digest.subarray(0, RANDOM_CHARACTERS - 1)) opaque += ID_DIGITS.charAt(byte & 31);
  return `${PREFIXES[kind]}_${idTime(timeOfId(tenantId))}${opaque}`;
}

/**
 * Returns a number from 0 to `count` - 1 that spreads ids evenly, from their last two characters. `count` must divide
 * 1024.
 */
export function shardOf(id: string, count: number): number {
  return (ID_DIGITS.indexOf(id.charAt(28)) * 32 + ID_DIGITS.indexOf(id.charAt(29))) % count;
}

function lastOf(kind: Kind): Last {
  let last = lasts.get(kind);
  if (!last) {
    last = { time: -1, random: new Uint8Array(RANDOM_CHARACTERS) };
    lasts.set(kind, last);
  }
  return last;
}

function drawRandom(random: Uint8Array, kind: Kind): void {
  const bytes = isSeeded() ? randomBytes(RANDOM_CHARACTERS, `id ${kind}`) : pooledBytes();
  for (let i = 0; i < RANDOM_CHARACTERS; i++) random[i] = (bytes[i] ?? 0) & 31;
  // Leaves room to increment within the millisecond, both parts: some 60,000 ids have the same first half.
  random[0] = (bytes[0] ?? 0) & 15;
  random[HALF] = (bytes[HALF] ?? 0) & 15;
}

/** Reads many bytes from the operating system at once. */
function pooledBytes(): Buffer {
  if (poolOffset >= pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  poolOffset += RANDOM_CHARACTERS;
  return pool.subarray(poolOffset - RANDOM_CHARACTERS, poolOffset);
}

/** Adds 1 to 2^24, which changes the second half of the random part only. */
function increment(random: Uint8Array): void {
  let carry = isSeeded() ? 1 : pooledBytes().readUIntLE(0, 3) + 1;
  for (let i = RANDOM_CHARACTERS - 1; carry > 0 && i >= 0; i--) {
    const sum = (random[i] ?? 0) + carry;
    random[i] = sum & 31;
    carry = sum >> 5;
  }
}
