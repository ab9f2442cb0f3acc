import { LIMITS } from '@plat/contract';
import { invalid, Refusal } from './refusal.ts';

/** A response as sent. */
export interface Sent {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface StoredResponse {
  readonly request: string;
  readonly response: Sent;
  /** Unix time in ms. */
  readonly expires: number;
}

/** Stored responses by `Idempotency-Key`. */
export type StoredResponses = Map<string, StoredResponse>;

/** Returns the key of a request, or null. @throws {@link Refusal} INVALID_REQUEST */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
  if (key === null || (key.length <= LIMITS.idempotencyKey.max && /^[\x21-\x7e]+$/.test(key))) return key;
  const message = `must be 1 to ${LIMITS.idempotencyKey.max} visible ASCII characters`;
  throw invalid('INVALID_REQUEST', [{ path: 'Idempotency-Key', message }]);
}

interface Once {
  /** Key, unique per credential. */
  readonly key: string;
  /** Fingerprint of the request, which a replay must match. */
  readonly request: string;
  readonly now: number;
}

/**
 * Runs a request once per key (idempotent replay). Refusals are stored too; server errors are not.
 * @throws {@link Refusal} IDEMPOTENCY_KEY_REUSED, or as `work`
 */
export function once(stored: StoredResponses, { key, request, now }: Once, work: () => Sent): Sent {
  const before = stored.get(key);
  if (before && before.expires > now) {
    if (before.request !== request) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
    return { ...before.response, headers: { 'idempotent-replayed': 'true' } };
  }
  const response = attempt(work);
  if (response.status < 500)
    stored.set(key, { request, response, expires: now + LIMITS.idempotencyKey.ttlSeconds * 1000 });
  return response;
}

function attempt(work: () => Sent): Sent {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: error.toBody() };
  }
}
