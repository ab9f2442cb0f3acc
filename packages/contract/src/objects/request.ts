import type { ErrorCode, FieldError } from '../errors.ts';
import type { OperationName } from '../operations.ts';
import type { ListParams } from './list.ts';

/** How a request ended: `failed` with a status of 400 or more, or without an answer. */
export const REQUEST_OUTCOMES = ['succeeded', 'failed'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A request to the API as its log keeps it. Bodies are not kept, and secrets in other texts are masked. */
export interface LoggedRequest {
  readonly object: 'request';
  /** What the answer had as `X-Request-Id`. */
  readonly id: string;
  readonly method: string;
  /** As it was sent, without its query; `…` in the place of a segment that is longer than any id. */
  readonly path: string;
  /** Without `?`; of a request that failed the names only, as `limit=…`. Null when there was none. */
  readonly query: string | null;
  /** The operation that the path stands for; null for one that the API does not have. */
  readonly operation: OperationName | null;
  readonly outcome: RequestOutcome;
  /** Null when the connection ended before the answer. */
  readonly status: number | null;
  /** Why it was refused; null when it was not. `errors` are those of the answer, the first 50 of them. */
  readonly error: LoggedRefusal | null;
  readonly credential: LoggedCredential;
  /** The header `Idempotency-Key`. */
  readonly idempotency_key: string | null;
  /** Whether the answer was the kept one of an earlier request with the same key. */
  readonly idempotent_replayed: boolean;
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** From the arrival of the head of the request to the end of the answer, in ms. */
  readonly duration_ms: number;
  readonly created_at: string;
}

export interface LoggedRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors: readonly FieldError[] | null;
}

/** What a request was authenticated by. */
export interface LoggedCredential {
  readonly type: 'api_key' | 'oauth_token';
  /** Of the key; of the grant for an access token. */
  readonly id: string;
  /** The OAuth app; null for an API key. */
  readonly app_id: string | null;
}

export interface RequestListParams extends ListParams {
  readonly outcome?: RequestOutcome;
  readonly code?: ErrorCode;
  readonly method?: (typeof HTTP_METHODS)[number];
  readonly operation?: OperationName;
  /** Of an API key or a grant. */
  readonly credential_id?: string;
  /** ISO 8601; only requests after this instant. */
  readonly created_after?: string;
  /** ISO 8601; only requests before this instant. */
  readonly created_before?: string;
}
