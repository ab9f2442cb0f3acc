export type {
  ErrorCode,
  EventOf,
  EventPayloads,
  EventType,
  FieldError,
  GeneralErrorCode,
  Scope,
  TraceEntry,
} from '@plat/contract';
export type { HttpMethod, RequestOptions } from './api-client.ts';
export { ApiCall, type ResponseMeta, type WithMeta } from './call/api-call.ts';
export type { CallOptions, WriteOptions } from './call/call-options.ts';
export type { Clock } from './call/clock.ts';
export type { ErrorEvent, HookEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent, Warning } from './call/hooks.ts';
export type { Logger } from './call/logger.ts';
export type { QueryValue } from './checks/query.ts';
export type { ClientOptions } from './client-options.ts';
export type { BearerToken, Credential, CredentialSource } from './credential.ts';
export { ApiError } from './errors/api-error.ts';
export { AbortedError, ConnectionError, TimeoutError } from './errors/connection-errors.ts';
export { type InvalidResponseCode, InvalidResponseError } from './errors/invalid-response-error.ts';
export { PlatformError } from './errors/platform-error.ts';
export { CredentialError, InvalidArgumentError, ListStalledError } from './errors/usage-errors.ts';
export { ListCall, type ListItems, type ListIterator } from './list/list-call.ts';
export { Page } from './list/page.ts';
export { Platform } from './platform.ts';
export type { PlatformOptions } from './platform-options.ts';
export type { RateLimit } from './rate-limit.ts';
export type { ListOptions } from './resources/operation-method.ts';
export type * from './resources/platform-resources.ts';
export { type FetchFunction, type FetchInit, type FetchResponse, fetchTransport } from './transport/fetch.ts';
export type { Transport, TransportHeaders, TransportRequest, TransportResponse } from './transport/transport.ts';
export { VERSION } from './version.ts';
