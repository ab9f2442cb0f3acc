import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HEADERS } from '@plat/contract';
import { BrokenBodyError } from './broken-body.ts';
import { tooLarge } from './too-large.ts';

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

/**
 * Reads the body of an unread request.
 * @throws {WebhookVerificationError} `BODY_TOO_LARGE`, before more than `maxBytes` are stored
 * @throws {BrokenBodyError}
 */
export function readNodeBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    function settle(error?: unknown): void {
      request.off('data', onData).off('end', onEnd).off('error', onFailure).off('close', onFailure);
      if (error === undefined) resolve(Buffer.concat(chunks));
      else reject(error);
    }
    function onEnd(): void {
      settle();
    }
    function onFailure(error?: unknown): void {
      settle(new BrokenBodyError(error));
    }
    function onData(chunk: Uint8Array): void {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      settle(tooLarge(maxBytes));
      // Discards the rest, so that a sender that is still writing can receive the response.
      request.on('error', () => undefined).resume();
    }
    if (Number(request.headers['content-length']) > maxBytes) {
      reject(tooLarge(maxBytes));
      return;
    }
    // Its events are over.
    if (request.destroyed) return onFailure();
    request.on('data', onData).on('end', onEnd).on('error', onFailure).on('close', onFailure);
  });
}
