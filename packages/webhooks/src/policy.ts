import { LIMITS } from '@plat/contract';
import { WebhookConfigurationError, WebhookVerificationError } from './errors.ts';

/** What a verifier is told about time. */
export interface TimeOptions {
  /**
   * Seconds that a signature may be older or newer than now: 300 by default, 3,600 at most. 0 means the same second.
   */
  readonly tolerance?: number | undefined;
  /** The clock, in milliseconds: `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** The same, checked and complete. */
export interface TimePolicy {
  readonly tolerance: number;
  readonly now: () => number;
}

/** @throws {WebhookConfigurationError} `TOLERANCE_INVALID`, `CLOCK_INVALID` */
export function readTimeOptions(options: TimeOptions): TimePolicy {
  const { tolerance = LIMITS.webhook.toleranceSeconds, now = Date.now } = options;
  if (typeof tolerance !== 'number' || !Number.isFinite(tolerance) || tolerance < 0) {
    throw new WebhookConfigurationError(
      'TOLERANCE_INVALID',
      'tolerance must be a finite number of seconds, 0 or more.',
    );
  }
  const { maxToleranceSeconds } = LIMITS.webhook;
  if (tolerance > maxToleranceSeconds) {
    throw new WebhookConfigurationError(
      'TOLERANCE_INVALID',
      `tolerance is in seconds, ${maxToleranceSeconds} at most: ${tolerance} looks like milliseconds. ` +
        'To verify an old delivery, let now return the time at which it arrived.',
    );
  }
  if (typeof now !== 'function') {
    throw new WebhookConfigurationError('CLOCK_INVALID', 'now must be a function that returns milliseconds.');
  }
  return { tolerance, now };
}

/** Anything from here on is milliseconds: as seconds it would be the year 5138. */
const MILLISECONDS_FROM = 1e11;

/**
 * Refuses a timestamp further from now than the tolerance, on either side. Time counts in whole seconds, as `t` does.
 *
 * @throws {WebhookVerificationError} `TIMESTAMP_TOO_OLD`, `TIMESTAMP_IN_FUTURE`
 * @throws {WebhookConfigurationError} `CLOCK_INVALID` when the clock gives no number
 */
export function checkTimestamp(timestamp: number, { tolerance, now }: TimePolicy): void {
  const milliseconds = now();
  const age = Math.floor(milliseconds / 1000) - timestamp;
  if (age <= tolerance && age >= -tolerance) return;
  if (!Number.isFinite(milliseconds)) {
    throw new WebhookConfigurationError('CLOCK_INVALID', 'now must return a finite number of milliseconds.');
  }
  if (age > 0) throw new WebhookVerificationError('TIMESTAMP_TOO_OLD', hintForOld(age));
  throw new WebhookVerificationError('TIMESTAMP_IN_FUTURE', hintForFuture(-age, timestamp, milliseconds));
}

function hintForOld(age: number): string {
  return (
    `It was signed ${age} s ago. Each attempt is signed anew, so this is a clock that runs ahead, a request that was ` +
    'held in a queue before its verification, a replay, or a recorded test (signTestEvent() makes a fresh one).'
  );
}

function hintForFuture(ahead: number, timestamp: number, milliseconds: number): string {
  if (timestamp >= MILLISECONDS_FROM) {
    return 't is in milliseconds; it must be in seconds: Math.floor(Date.now() / 1000).';
  }
  if (milliseconds < MILLISECONDS_FROM && timestamp - milliseconds < 86_400) {
    return 'The now of this verifier seems to return seconds; it must return milliseconds, as Date.now does.';
  }
  return `It was signed ${ahead} s ahead of this clock, which runs behind: synchronise it.`;
}
