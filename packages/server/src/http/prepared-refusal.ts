import type { ServerResponse } from 'node:http';
import { type ErrorCode, HEADERS } from '@plat/contract';
import type { ApiError } from '../kernel/api-error.ts';
import { newId } from '../kernel/ids.ts';

/** A refusal as it is sent, except for the id of the request. */
export interface PreparedRefusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

/** Writes a refusal once, for many requests. */
export function prepareRefusal(refusal: ApiError): PreparedRefusal {
  const { status, code } = refusal;
  const body = JSON.stringify(refusal.toBody());
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...refusal.headers,
  };
  return { status, code, headers, body };
}

/** Answers a request that Express does not get. Returns the id of the request. */
export function sendRefusal(res: ServerResponse, { status, headers, body }: PreparedRefusal): string {
  const requestId = newId('request');
  res.writeHead(status, { [HEADERS.requestId]: requestId, ...headers }).end(body);
  return requestId;
}
