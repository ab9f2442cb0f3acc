import { ApiCall } from './call/api-call.ts';
import { checkCallOptions, type WriteOptions } from './call/call-options.ts';
import type { Engine } from './call/engine.ts';
import { startCall } from './call/running-call.ts';
import { encodeBody } from './checks/body.ts';
import { checkPath } from './checks/path.ts';
import { encodeQuery, type QueryValue } from './checks/query.ts';
import { InvalidArgumentError } from './errors/usage-errors.ts';

/** HTTP methods of `request`. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const METHODS: ReadonlySet<unknown> = new Set<HttpMethod>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Query, body and options of `request`. */
export interface RequestOptions extends WriteOptions {
  /** Query parameters; undefined values are omitted. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Request body, sent as JSON. */
  readonly body?: object | undefined;
}

/** Base of every client: calls by path, and the end of its connections. */
export class ApiClient {
  readonly #engine: Engine;

  /** @internal */
  protected constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Calls any path of the service, with the same credential, retries, time-outs and errors as the methods. `T` is the
   * type that you expect; it is not checked. A response without a body is null.
   * @param path - encoded, with or without a query, for example `/v1/clients?limit=5`
   */
  request<T = unknown>(method: HttpMethod, path: string, options: RequestOptions = {}): ApiCall<T> {
    const call = startCall(this.#engine, () => {
      if (!METHODS.has(method)) throw new InvalidArgumentError('method', 'must be GET, POST, PUT, PATCH or DELETE');
      const { query, body, ...rest } = options;
      checkCallOptions(rest);
      const checked = checkPath(path);
      if (body !== undefined && method === 'GET') throw new InvalidArgumentError('body', 'must be absent for GET');
      return {
        operation: `${method} ${checked.split('?', 1)[0]?.replaceAll(ID, '/{id}')}`,
        method,
        path: checked + encodeQuery(query, checked.includes('?') ? '&' : '?'),
        body: body === undefined ? undefined : encodeBody(body),
        shape: 'any',
        options: rest,
      };
    });
    return new ApiCall<T>(call.reply);
  }

  /** Closes idle connections, including those shared with other clients. The client stays usable. */
  close(): void {
    this.#engine.transport.close?.();
  }

  /** Closes idle connections at the end of the block of an `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}

/** A path segment with an id. Warnings are per operation, not per object. */
const ID = /\/[a-z]{3}_[0-9a-z]{26}(?=\/|$)/g;
