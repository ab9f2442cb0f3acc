import { HEADERS } from '@plat/contract';
import { type RateLimit, readRateLimit } from '../rate-limit.ts';
import type { TransportResponse } from '../transport/transport.ts';
import type { Reply } from './execute.ts';

/** The data of a response with its metadata. */
export interface WithMeta<T> extends ResponseMeta {
  /** The response body. */
  readonly data: T;
}

/** Metadata of a response. */
export interface ResponseMeta {
  /** `X-Request-Id` of the response; null if it had none. */
  readonly requestId: string | null;
  /** HTTP status. */
  readonly status: number;
  /** Response headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** State of the rate limit; null if the response did not include it. */
  readonly rateLimit: RateLimit | null;
  /** Number of requests that were sent for the call. */
  readonly attempts: number;
  /** True if the response is an idempotent replay of an earlier request with the same Idempotency-Key. */
  readonly idempotentReplayed: boolean;
}

/**
 * A running call. Await it for the data, or use {@link withMeta} for the data with request id, headers and other
 * metadata.
 */
export class ApiCall<T> implements Promise<T> {
  /** Name in `Object.prototype.toString`. */
  readonly [Symbol.toStringTag] = 'ApiCall';
  readonly #reply: Promise<Reply>;

  /** @internal */
  constructor(reply: Promise<Reply>) {
    this.#reply = reply;
  }

  /** Returns the data with its request id, status, headers, rate limit and number of attempts. */
  withMeta(): Promise<WithMeta<T>> {
    return this.#reply.then((reply) => withMeta(dataOf<T>(reply), reply.response, reply.attempts));
  }

  // biome-ignore lint/suspicious/noThenProperty: the class is a promise
  then<A = T, B = never>(
    onfulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    // Avoids a derived promise for the data, because every call takes this path. Without onfulfilled, A is T.
    const fulfilled = onfulfilled ? (reply: Reply) => onfulfilled(dataOf<T>(reply)) : undefined;
    return (fulfilled ? this.#reply.then(fulfilled, onrejected) : this.#reply.then(dataOf<T>, onrejected)) as Promise<
      A | B
    >;
  }

  catch<B = never>(onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onrejected);
  }

  finally(onfinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onfinally);
  }
}

/** @internal */
export function withMeta<T>(data: T, response: TransportResponse, attempts: number): WithMeta<T> {
  const { status, headers } = response;
  return {
    data,
    requestId: headers.get(HEADERS.requestId),
    status,
    headers: Object.fromEntries(headers),
    rateLimit: readRateLimit(headers),
    attempts,
    idempotentReplayed: headers.get(HEADERS.idempotentReplayed) === 'true',
  };
}

/** The only place where JSON gets a type. The contract defines the response type of each operation. */
function dataOf<T>(reply: Reply): T {
  return reply.data as T;
}
