import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';

/** How an endpoint's attempts have gone of late: columns of its row. */
export type EndpointState = Pick<
  WebhookEndpointRow,
  'consecutive_failures' | 'failing_since' | 'pauses' | 'paused_until' | 'warned_at'
>;

/** Of an endpoint whose last attempt succeeded, or that has had none. */
export const HEALTHY: EndpointState = {
  consecutive_failures: 0,
  failing_since: null,
  pauses: 0,
  paused_until: null,
  warned_at: null,
};

/**
 * So many failures in a row and nothing but failures, and the endpoint is paused. More than the attempts at one event,
 * so that one event to an endpoint that gets no others is attempted at exactly the specification's times.
 */
export const FAILURES_TO_PAUSE = 20;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/**
 * After a failed attempt, whose instants are in ms. A pause ends with one delivery that is tried; while that fails too,
 * each pause is twice as long as the one before.
 */
export function afterFailure(
  state: EndpointState,
  { attemptedAt, endedAt }: { readonly attemptedAt: number; readonly endedAt: number },
): EndpointState {
  const consecutive_failures = state.consecutive_failures + 1;
  const failing = { ...state, consecutive_failures, failing_since: state.failing_since ?? attemptedAt };
  if (consecutive_failures < FAILURES_TO_PAUSE || beganBeforePause(state, attemptedAt)) return failing;
  const pauses = state.pauses + 1;
  return { ...failing, pauses, paused_until: endedAt + pauseMs(pauses) };
}

/** Those under way when a pause began say nothing new. Half of it lies between them and the one that is tried. */
function beganBeforePause({ paused_until, pauses }: EndpointState, attemptedAt: number): boolean {
  return paused_until !== null && attemptedAt < paused_until - pauseMs(pauses) / 2;
}

function pauseMs(pauses: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (pauses - 1), LONGEST_PAUSE_MS);
}
