import { LIMITS } from '@plat/contract';
import { WebhookConfigurationError, WebhookVerificationError } from './errors.ts';

/** Time options of a verifier. */
export interface TimeOptions {
  /**
   * Maximum age of a signature in seconds, in the past and in the future; 300 by default, at most 3,600. 0 requires the
   * same second.
   */
  readonly tolerance?: number | undefined;
  /** Clock in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** The time options, checked and with defaults. */
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

/** A timestamp from here on is in milliseconds: as seconds it would be in the year 5138. */
const MILLISECONDS_FROM = 1e11;

/**
 * Refuses a timestamp that differs from now by more than the tolerance. Time is compared in whole seconds, like `t`.
 * @throws {WebhookVerificationError} `TIMESTAMP_TOO_OLD`, `TIMESTAMP_IN_FUTURE`
 * @throws {WebhookConfigurationError} `CLOCK_INVALID` if the clock returns no number
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
    `It was signed ${age} s ago. Each attempt has a new signature. Likely causes: the clock of this receiver runs ` +
    'ahead, the request waited in a queue, it is a replay, or it is a recorded test (signTestEvent() creates a new one).'
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
