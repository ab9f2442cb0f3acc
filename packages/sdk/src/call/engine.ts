import type { BaseUrl } from '../checks/base-url.ts';
import type { Credential } from '../credential.ts';
import type { Transport } from '../transport/transport.ts';
import type { AnswerShape } from './answer.ts';
import type { WriteOptions } from './call-options.ts';
import type { Clock } from './clock.ts';
import type { Hooks, Warn } from './hooks.ts';

/** The checked settings of a client, used by every call. */
export interface Engine {
  readonly baseUrl: BaseUrl;
  readonly credential: Credential;
  readonly transport: Transport;
  /** Headers of every request, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly maxRetries: number;
  /** True if requests wait for the next window instead of exceeding the rate limit. */
  readonly isPaced: boolean;
  readonly hooks: Hooks;
  readonly warn: Warn;
  readonly clock: Clock;
}

/** A checked and encoded call. */
export interface CallSpec {
  /** Name of the operation, for hooks and warnings. */
  readonly operation: string;
  readonly method: string;
  /** Path and query, relative to the base URL. */
  readonly path: string;
  readonly body: string | undefined;
  readonly shape: AnswerShape;
  readonly options: WriteOptions;
}
