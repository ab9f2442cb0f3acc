import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';

/**
 * The circuit breaker of an endpoint, as its row stores it: closed while `paused_until` is null, open before that
 * instant, half-open after it. `pauses` counts how often it opened in a row.
 */
export type Circuit = Pick<WebhookEndpointRow, (typeof CIRCUIT_COLUMNS)[number]>;

export const CIRCUIT_COLUMNS = [
  'consecutive_failures',
  'failing_since',
  'pauses',
  'paused_until',
  'warned_at',
] as const;

/** The circuit of an endpoint without attempts, and after each success. */
export const CLOSED_CIRCUIT: Circuit = {
  consecutive_failures: 0,
  failing_since: null,
  pauses: 0,
  paused_until: null,
  warned_at: null,
};

/**
 * Consecutive failures that open the circuit. More than the attempts at one event, so that one event to an endpoint
 * without other events is attempted at exactly the times of the specification.
 */
export const FAILURES_TO_OPEN = 20;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/**
 * Returns the circuit after a failed attempt, whose instants are in ms. A half-open circuit allows one delivery; each
 * failure of it doubles the next pause.
 */
export function afterFailure(
  circuit: Circuit,
  { attemptedAt, endedAt }: { readonly attemptedAt: number; readonly endedAt: number },
): Circuit {
  const consecutive_failures = circuit.consecutive_failures + 1;
  const failing = { ...circuit, consecutive_failures, failing_since: circuit.failing_since ?? attemptedAt };
  if (consecutive_failures < FAILURES_TO_OPEN || startedBeforePause(circuit, attemptedAt)) return failing;
  const pauses = circuit.pauses + 1;
  return { ...failing, pauses, paused_until: endedAt + pauseMs(pauses) };
}

/**
 * True for attempts that were in flight when the circuit opened: their failure does not lengthen the pause. Half of the
 * pause separates them from the delivery of the half-open circuit.
 */
function startedBeforePause({ paused_until, pauses }: Circuit, attemptedAt: number): boolean {
  return paused_until !== null && attemptedAt < paused_until - pauseMs(pauses) / 2;
}

function pauseMs(pauses: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (pauses - 1), LONGEST_PAUSE_MS);
}
