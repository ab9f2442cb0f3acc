import type { BaseUrl } from '../checks/base-url.ts';
import type { Credential } from '../credential.ts';
import type { Transport } from '../transport/transport.ts';
import type { AnswerShape } from './answer.ts';
import type { WriteOptions } from './call-options.ts';
import type { Clock } from './clock.ts';
import type { Hooks, Warn } from './hooks.ts';

/** A client's settings, checked: what every call is made with. */
export interface Engine {
  readonly baseUrl: BaseUrl;
  readonly credential: Credential;
  readonly transport: Transport;
  /** Headers of every request, under lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly maxRetries: number;
  readonly hooks: Hooks;
  readonly warn: Warn;
  readonly clock: Clock;
}

/** One call, checked and encoded. */
export interface CallSpec {
  /** For hooks and warnings. */
  readonly operation: string;
  readonly method: string;
  /** Path and query below the base URL. */
  readonly path: string;
  readonly body: string | undefined;
  readonly shape: AnswerShape;
  readonly options: WriteOptions;
}
