import { WebhookConfigurationError } from '../errors.ts';
import type { WebhookEvent } from '../event.ts';
import { checkOptions } from '../options.ts';
import { createMemoryStore } from './memory-store.ts';
import { type ClaimOutcome, type DedupeStore, hasSteps } from './store.ts';

/** How duplicates are told. */
export interface DedupeOptions {
  /** Where handled events are kept: a memory store of this process by default. */
  readonly store?: DedupeStore | undefined;
  /**
   * Seconds that a handled event is remembered, 259,200 (72 hours) by default: the seven attempts of a delivery are
   * spread over more than 31 hours.
   */
  readonly ttlSeconds?: number | undefined;
  /**
   * Seconds after which a claim that was neither completed nor released is free again, 60 by default. Make it longer
   * than the slowest handler.
   */
  readonly leaseSeconds?: number | undefined;
  /** Put before each key. Give each endpoint its own where several share a store: both get the same event. */
  readonly namespace?: string | undefined;
}

/** A claim on an event. Only the one that is `claimed` has a token. */
export type Claim =
  | {
      /** This process handles the event. */
      readonly outcome: 'claimed';
      /** Key of the event in the store. */
      readonly key: string;
      /** Random token of this claim. */
      readonly token: string;
    }
  | {
      /** Why the event is not to be handled now. */
      readonly outcome: Exclude<ClaimOutcome, 'claimed'>;
    };

/** Sees to it that an event that arrives again is not handled again. */
export interface Dedupe {
  /** Seconds after which an unfinished claim can be taken over. */
  readonly leaseSeconds: number;
  /** Claims an event, by the `id` in its signed body. Handle it only when the outcome is `claimed`. */
  claim(event: Pick<WebhookEvent, 'id'>): Promise<Claim>;
  /** After the handler: later deliveries of the event are duplicates. `false`: the claim was lost. */
  complete(claim: Claim): Promise<boolean>;
  /** After a failure: the next delivery of the event is handled. `false`: the claim was lost. */
  release(claim: Claim): Promise<boolean>;
  /**
   * Forgets that an event was handled, so that a deliberate replay of it is handled again. Call it before the replay.
   *
   * @returns false for an event that is not known as handled: an unknown one, or one that is being handled right now
   */
  forget(eventId: string): Promise<boolean>;
}

const HOURS = 60 * 60;

/**
 * Makes a dedupe helper: claim, then complete or release.
 *
 * A handler that has side effects of its own in a database is exactly-once only if it records the event id in the same
 * transaction; this helper alone makes repeats rare, not impossible (a crash between the effect and `complete`).
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
  return Object.freeze({
    leaseSeconds,
    async claim({ id }: Pick<WebhookEvent, 'id'>): Promise<Claim> {
      const key = `${namespace}${id}`;
      const token = crypto.randomUUID();
      const outcome = await store.claim({ key, token, leaseSeconds });
      return outcome === 'claimed' ? { outcome, key, token } : { outcome };
    },
    async complete(claim: Claim): Promise<boolean> {
      if (claim.outcome !== 'claimed') return false;
      return store.complete({ key: claim.key, token: claim.token, ttlSeconds });
    },
    async release(claim: Claim): Promise<boolean> {
      if (claim.outcome !== 'claimed') return false;
      return store.release({ key: claim.key, token: claim.token });
    },
    async forget(eventId: string): Promise<boolean> {
      return store.forget({ key: `${namespace}${eventId}` });
    },
  });
}

function checkSeconds(name: string, value: number): void {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return;
  throw new WebhookConfigurationError('OPTION_INVALID', `${name} must be a finite number of seconds above 0.`);
}
