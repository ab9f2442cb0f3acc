import { LIMITS } from '@plat/contract';
import { invalid, Refusal } from './refusal.ts';

/** An answer as it is sent. */
export interface Sent {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Kept {
  readonly request: string;
  readonly answer: Sent;
  /** In ms. */
  readonly expires: number;
}

/** The answers that are kept under their `Idempotency-Key`. */
export type KeptAnswers = Map<string, Kept>;

/** The key of a request, or null. @throws {@link Refusal} INVALID_REQUEST */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
  if (key === null || (key.length <= LIMITS.idempotencyKey.max && /^[\x21-\x7e]+$/.test(key))) return key;
  const message = `must be 1 to ${LIMITS.idempotencyKey.max} visible ASCII characters`;
  throw invalid('INVALID_REQUEST', [{ path: 'Idempotency-Key', message }]);
}

interface Once {
  /** Of one credential. */
  readonly key: string;
  /** What must be the same the next time. */
  readonly request: string;
  readonly now: number;
}

/**
 * Answers a request once: the same key is answered again, refusals too; failures of the server are not kept.
 * @throws {@link Refusal} IDEMPOTENCY_KEY_REUSED, or as `work`
 */
export function once(kept: KeptAnswers, { key, request, now }: Once, work: () => Sent): Sent {
  const before = kept.get(key);
  if (before && before.expires > now) {
    if (before.request !== request) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
    return { ...before.answer, headers: { 'idempotent-replayed': 'true' } };
  }
  const answer = attempt(work);
  if (answer.status < 500) kept.set(key, { request, answer, expires: now + LIMITS.idempotencyKey.ttlSeconds * 1000 });
  return answer;
}

function attempt(work: () => Sent): Sent {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: error.toBody() };
  }
}
