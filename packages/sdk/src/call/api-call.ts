import { HEADERS } from '@plat/contract';
import { type RateLimit, readRateLimit } from '../rate-limit.ts';
import type { TransportResponse } from '../transport/transport.ts';
import type { Reply } from './execute.ts';

/** The answer to a call with what came around it. */
export interface WithMeta<T> extends ResponseMeta {
  /** The response body. */
  readonly data: T;
}

/** What is told of an answer beside its data. */
export interface ResponseMeta {
  /** `X-Request-Id`; null when the answer had none. */
  readonly requestId: string | null;
  /** HTTP status. */
  readonly status: number;
  /** Headers of the answer under lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** State of the rate limit, where the answer told it. */
  readonly rateLimit: RateLimit | null;
  /** Requests that were sent for the call. */
  readonly attempts: number;
  /** Whether this is the kept answer to an earlier request with the same Idempotency-Key. */
  readonly idempotentReplayed: boolean;
}

/** A call on its way: await it for the data, or {@link withMeta} for the data with request id, headers and the rest. */
export class ApiCall<T> implements Promise<T> {
  /** Name in `Object.prototype.toString`. */
  readonly [Symbol.toStringTag] = 'ApiCall';
  readonly #reply: Promise<Reply>;

  /** @internal */
  constructor(reply: Promise<Reply>) {
    this.#reply = reply;
  }

  /** The data with its request id, status, headers, rate limit and number of attempts. */
  withMeta(): Promise<WithMeta<T>> {
    return this.#reply.then((reply) => withMeta(dataOf<T>(reply), reply.response, reply.attempts));
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaitable is what it is for
  then<A = T, B = never>(
    onfulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    // One promise less than a derived one for the data, on the way that every call takes. Without onfulfilled A is T.
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

/** The one place where JSON becomes a type: the contract says what each operation answers. */
function dataOf<T>(reply: Reply): T {
  return reply.data as T;
}
