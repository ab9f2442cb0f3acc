import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HEADERS } from '@plat/contract';

/** Returns the headers of a request. Node joins a repeated signature header by a comma, so here it stays an array. */
export function headersOf(request: IncomingMessage): IncomingHttpHeaders {
  const signatures = request.headersDistinct?.[HEADERS.signature];
  if (!signatures || signatures.length < 2) return request.headers;
  return { ...request.headers, [HEADERS.signature]: signatures };
}

/** Returns `X-Platform-Delivery-Id`; undefined if it is absent or repeated. */
export function deliveryIdOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers[HEADERS.deliveryId];
  return typeof value === 'string' ? value : undefined;
}
