import { Cancellation } from '../call/cancellation.ts';
import { type Clock, pause } from '../call/clock.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { redactCause } from '../redact.ts';
import { concealed, decodeRecord, encodeRecord, type GrantRecord } from './grant-record.ts';
import type { GrantEncryption, GrantStore, StoredGrant } from './grant-store.ts';
import { GrantStoreError } from './oauth-errors.ts';

/** A record and its stored form. */
export interface Found<R extends GrantRecord = GrantRecord> {
  readonly stored: StoredGrant;
  readonly record: R;
}

/** Access to the store in terms of records. Failed calls are repeated. */
export interface Records {
  /** @throws {@link GrantStoreError} */
  read(key: string): Promise<Found | null>;
  /**
   * Writes the record that `make` returns for its version, if the store still has `over`. Returns null if it does not:
   * then read again, because it can be this same write whose response was lost.
   * @throws {@link GrantStoreError} if it is unknown whether the record was written
   */
  write<R extends GrantRecord>(
    key: string,
    over: Found | null,
    make: (version: number) => R,
    tries?: number,
  ): Promise<Found<R> | null>;
  /**
   * Returns the grants that follow that of a key, in the order of the store; undefined if the store cannot list.
   * @throws {@link GrantStoreError}
   */
  readonly list: ((after: string | null, limit: number) => Promise<readonly Listed[]>) | undefined;
}

/** A grant in a list. */
export interface Listed {
  readonly key: string;
  readonly record: GrantRecord;
}

/** Maximum number of calls of a failing store, 0.1, 0.2, 0.4 … s apart, and at most 5 s. */
const TRIES = 3;
const FIRST_WAIT = 100;
const LONGEST_WAIT = 5_000;
/** Time-out in ms, so that a hanging query, lock or encryption does not block every call of the tenant. */
const STORE_TIMEOUT = 10_000;
/** In errors of a list, instead of a key. */
const LIST = '(list)';

/**
 * Waits for a step of the store.
 * @throws {@link GrantStoreError} after {@link STORE_TIMEOUT}, or the error of the step
 */
export function inTime<T>(key: string, clock: Clock, step: Promise<T>): Promise<T> {
  const late = () => new GrantStoreError(key, `did not answer within ${STORE_TIMEOUT} ms`, { retryable: true });
  return new Cancellation(clock).within(step, STORE_TIMEOUT, late);
}

export function createRecords(store: GrantStore, encryption: GrantEncryption | undefined, clock: Clock): Records {
  const get = async (key: string) => checkStored(key, await store.get(key));

  async function trying<T>(key: string, tries: number, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTime(key, clock, work());
      } catch (error) {
        if (attempt >= tries) throw storeFailure(key, error);
        await pause(clock, Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT));
      }
    }
  }

  async function decode(key: string, { value }: StoredGrant): Promise<GrantRecord> {
    return decodeRecord(encryption ? await encryption.decrypt(value, key) : value);
  }

  async function list(after: string | null, limit: number): Promise<readonly Listed[]> {
    const rows = await trying(LIST, TRIES, async () => (await store.list?.({ after, limit })) ?? []);
    const listed: Listed[] = [];
    for (const { key, ...stored } of rows) {
      const record = await trying(key, 1, async () => decode(key, checkStored(key, stored) ?? stored));
      listed.push({ key, record });
    }
    return listed;
  }

  return {
    list: store.list && list,
    read: (key) =>
      trying(key, TRIES, async () => {
        const stored = await get(key);
        return stored && { stored, record: await decode(key, stored) };
      }),
    async write(key, over, make, tries = TRIES) {
      // The clock keeps versions growing even if the row was deleted in between, so that no version is used twice.
      const version = Math.max(clock.now(), (over?.stored.version ?? 0) + 1);
      const record = make(version);
      const text = encodeRecord(record);
      return trying(key, tries, async () => {
        const stored = { version, value: encryption ? await encryption.encrypt(text, key) : text };
        const expected = over?.stored.version ?? null;
        const done = await store.compareAndSet(key, expected, stored);
        if (done) return { stored, record: shown(record) };
        // The callers read and write again after null, until they succeed. With such a store they never would.
        if (done === undefined) throw new GrantStoreError(key, 'returned no boolean from compareAndSet');
        if (((await get(key))?.version ?? null) !== expected) return null;
        throw new GrantStoreError(key, 'refused compareAndSet over the version that it has', { retryable: true });
      });
    },
  };
}

/** @throws {@link InvalidArgumentError} unless every store supports the key: 1 to 191 visible ASCII characters */
export function checkKey(key: unknown): asserts key is string {
  if (typeof key === 'string' && /^[\x21-\x7e]{1,191}$/.test(key)) return;
  throw new InvalidArgumentError('key', 'must be 1 to 191 visible ASCII characters');
}

function shown<R extends GrantRecord>(record: R): R {
  if (record.status === 'live') concealed(record);
  return record;
}

function checkStored(key: string, stored: StoredGrant | null): StoredGrant | null {
  if (!stored) return null;
  if (Number.isSafeInteger(stored.version) && typeof stored.value === 'string') return stored;
  throw new GrantStoreError(key, 'returned an object that is not { version, value }');
}

function storeFailure(key: string, error: unknown): GrantStoreError {
  if (error instanceof GrantStoreError) return error;
  const cause = redactCause(error);
  return new GrantStoreError(key, `failed: ${cause.message}`, { cause, retryable: true });
}
