import { type FieldError, HEADERS } from '@plat/contract';
import { ApiError } from '../errors/api-error.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { readRateLimit, readRetryAfter } from '../rate-limit.ts';
import { type KnownSecrets, redact } from '../redact.ts';
import type { TransportHeaders, TransportResponse } from '../transport/transport.ts';
import { isRetryableAnswer } from './retry.ts';

/** Required shape of a response body: any JSON (or none), an object, or a page of a list. */
export type AnswerShape = 'any' | 'object' | 'list';

/** Data of the call that is required to read its response. */
export interface AnswerContext {
  readonly attempts: number;
  readonly now: () => number;
  /** Credential of the call. It is redacted in errors, in case a server or proxy echoes it. */
  readonly secret: KnownSecrets;
}

/**
 * Returns the data of a successful response.
 * @throws {@link ApiError} for an error body
 * @throws {@link InvalidResponseError} for any other response that does not come from the API
 */
export function readAnswer(response: TransportResponse, shape: AnswerShape, context: AnswerContext): unknown {
  const { status, body } = response;
  if (status < 200 || status > 299) throw readFailure(response, context);
  if (body === '' && shape === 'any') return null;
  const data = parseJson(body);
  if (!hasShape(data, shape)) throw notTheApi(response, context);
  return data;
}

/** Returns the `X-Request-Id` for support requests, with the credential redacted; null without one. */
export function readRequestId(headers: TransportHeaders, secret: KnownSecrets): string | null {
  const id = headers.get(HEADERS.requestId);
  return id === null ? null : redact(id, secret);
}

function readFailure(response: TransportResponse, context: AnswerContext): ApiError | InvalidResponseError {
  const { status, headers } = response;
  if (status < 400) return redirected(response, context);
  const body = parseJson(response.body);
  if (!isRecord(body) || typeof body['code'] !== 'string') return notTheApi(response, context);
  const rawCode = redact(body['code'], context.secret);
  return new ApiError({
    status,
    rawCode,
    message: redact(typeof body['message'] === 'string' ? body['message'] : 'No message', context.secret),
    errors: fieldErrors(body['errors'], context.secret),
    rateLimit: readRateLimit(headers),
    retryAfter: readRetryAfter(headers, context.now()),
    requestId: readRequestId(headers, context.secret),
    retryable: isRetryableAnswer(status, rawCode),
    attempts: context.attempts,
  });
}

function redirected(response: TransportResponse, context: AnswerContext): InvalidResponseError {
  const { status, headers } = response;
  const location = headers.get('location');
  const origin = location !== null && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
  const hint = 'redirects are not followed, as the credential would go along; check baseUrl';
  const details = { attempts: context.attempts, requestId: readRequestId(headers, context.secret) };
  return new InvalidResponseError('UNEXPECTED_REDIRECT', status, `HTTP ${status}${origin}: ${hint}`, details);
}

function notTheApi(response: TransportResponse, context: AnswerContext): InvalidResponseError {
  const { status, headers, body } = response;
  const type = headers.get('content-type') ?? 'no content type';
  const encoding = headers.get('content-encoding');
  const start = redact(body.slice(0, 2000), context.secret).replace(/\s+/g, ' ').trim().slice(0, 120);
  const received = body === '' ? 'an empty body' : `${type}${encoding ? ` in ${encoding}` : ''}: ${start}`;
  return new InvalidResponseError(
    'INVALID_RESPONSE',
    status,
    `HTTP ${status}, but not a response of the API (a proxy?): ${redact(received, context.secret)}`,
    {
      attempts: context.attempts,
      requestId: readRequestId(headers, context.secret),
      retryable: isRetryableAnswer(status),
      retryAfter: readRetryAfter(headers, context.now()),
    },
  );
}

function hasShape(data: unknown, shape: AnswerShape): boolean {
  if (shape === 'any') return data !== undefined;
  if (!isRecord(data)) return false;
  return shape === 'object' || (Array.isArray(data['data']) && typeof data['has_more'] === 'boolean');
}

function fieldErrors(value: unknown, secret: KnownSecrets): readonly FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((entry) => ({
    path: redact(String(entry['path'] ?? ''), secret),
    message: redact(String(entry['message'] ?? ''), secret),
  }));
}

/** Returns the parsed JSON, or undefined (which JSON cannot represent) if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
