import { WebhookConfigurationError } from '../errors.ts';
import type { WebhookEvent } from '../event.ts';
import { checkOptions } from '../options.ts';
import { createMemoryStore } from './memory-store.ts';
import { type ClaimOutcome, type DedupeStore, hasSteps } from './store.ts';

/** Options of {@link createDedupe}. */
export interface DedupeOptions {
  /** Store of the handled events; by default a memory store of this process. */
  readonly store?: DedupeStore | undefined;
  /**
   * Seconds for which a handled event is remembered; 259,200 (72 hours) by default. The seven attempts of a delivery
   * are spread over more than 31 hours.
   */
  readonly ttlSeconds?: number | undefined;
  /** Seconds after which an unfinished claim expires; 60 by default. Make it longer than the slowest handler. */
  readonly leaseSeconds?: number | undefined;
  /**
   * Prefix of each key. If several endpoints share a store, give each its own namespace: all of them receive the same
   * event.
   */
  readonly namespace?: string | undefined;
}

/** The result of a claim. Only a claim with the outcome `claimed` has a token. */
export type Claim =
  | {
      /** The caller holds the claim and handles the event. */
      readonly outcome: 'claimed';
      /** Key of the event in the store. */
      readonly key: string;
      /** Random token of this claim. */
      readonly token: string;
    }
  | {
      /** Reason why the event must not be handled now. */
      readonly outcome: Exclude<ClaimOutcome, 'claimed'>;
    };

/** Prevents that an event is handled twice when it is delivered twice. */
export interface Dedupe {
  /** Seconds after which an unfinished claim can be taken over. */
  readonly leaseSeconds: number;
  /** Claims an event by the `id` in its signed body. Handle the event only if the outcome is `claimed`. */
  claim(event: Pick<WebhookEvent, 'id'>): Promise<Claim>;
  /** Marks the event as handled: later deliveries are duplicates. Returns false if the claim was lost. */
  complete(claim: Claim): Promise<boolean>;
  /** Frees the event after a failure: its next delivery is handled. Returns false if the claim was lost. */
  release(claim: Claim): Promise<boolean>;
  /**
   * Removes the record of a handled event, so that a deliberate replay is handled again. Call it before the replay.
   * @returns false if the event is unknown, or is being handled right now
   */
  forget(eventId: string): Promise<boolean>;
}

const HOURS = 60 * 60;

/**
 * Creates a dedupe helper: claim an event, then complete or release it.
 *
 * A handler with side effects in a database is exactly-once only if it records the event id in the same transaction.
 * This helper alone makes repeats rare, not impossible: a crash can happen between the effect and `complete`.
 *
 * @example
 * const dedupe = createDedupe({ store });
 * const claim = await dedupe.claim(event);
 * if (claim.outcome === 'claimed') {
 *   await handle(event).then(() => dedupe.complete(claim), async (error) => {
 *     await dedupe.release(claim);
 *     throw error;
 *   });
 * }
 *
 * @throws {WebhookConfigurationError} `OPTION_INVALID`
 */
export function createDedupe(options: DedupeOptions = {}): Dedupe {
  checkOptions('createDedupe', options, { store: true, ttlSeconds: true, leaseSeconds: true, namespace: true });
  const { store = createMemoryStore(), ttlSeconds = 72 * HOURS, leaseSeconds = 60, namespace = '' } = options;
  if (!hasSteps(store)) {
    throw new WebhookConfigurationError(
      'OPTION_INVALID',
      'store must have the methods claim, complete, release and forget.',
    );
  }
  checkSeconds('ttlSeconds', ttlSeconds);
  checkSeconds('leaseSeconds', leaseSeconds);
  return Object.freeze<Dedupe>({
    leaseSeconds,
    async claim({ id }) {
      const key = `${namespace}${id}`;
      const token = crypto.randomUUID();
      const outcome = await store.claim({ key, token, leaseSeconds });
      return outcome === 'claimed' ? { outcome, key, token } : { outcome };
    },
    async complete(claim) {
      if (claim.outcome !== 'claimed') return false;
      return store.complete({ key: claim.key, token: claim.token, ttlSeconds });
    },
    async release(claim) {
      if (claim.outcome !== 'claimed') return false;
      return store.release({ key: claim.key, token: claim.token });
    },
    async forget(eventId) {
      return store.forget({ key: `${namespace}${eventId}` });
    },
  });
}

function checkSeconds(name: string, value: number): void {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return;
  throw new WebhookConfigurationError('OPTION_INVALID', `${name} must be a finite number of seconds above 0.`);
}
