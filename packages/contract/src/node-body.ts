import type { IncomingMessage } from 'node:http';

// Shared by the verifiers. It is not part of the API.

/**
 * A request whose body did not arrive completely. Anyone can cause it, so it is not logged by default, and error handlers
 * treat it as a 400.
 * @internal
 */
export class BrokenBodyError extends Error {
  readonly status = 400;

  constructor(cause: unknown) {
    super('The request was closed before its body had arrived.', { cause });
  }
}

/**
 * Reads the body of an unread request of Node.
 * @param tooLarge creates the error for a larger body, which is thrown before more than `maxBytes` are stored
 * @throws {BrokenBodyError}
 * @internal
 */
export function readNodeBody(
  request: IncomingMessage,
  maxBytes: number,
  tooLarge: (maxBytes: number) => Error,
): Promise<Uint8Array> {
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
