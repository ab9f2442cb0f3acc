import { BrokenBodyError, HEADERS } from '@plat/contract';
import { concat } from '../bytes.ts';
import { WebhookVerificationError } from '../errors.ts';
import type { RawBody } from '../raw-body.ts';
import { createVerifier, type WebVerifierOptions } from '../web-verifier.ts';
import { type AdapterOptions, type EventHandler, readAdapterOptions } from './options.ts';
import { receive } from './receive.ts';
import { tooLarge } from './too-large.ts';

/** Options of the adapters that use WebCrypto. */
export interface WebhookHandlerOptions extends WebVerifierOptions, AdapterOptions {}

/** The parts of an unread request of the Fetch API that the adapters use. Azure Functions has its own class with them. */
export interface UnreadRequest {
  /** Full address. */
  readonly url: string;
  /** Request headers. */
  readonly headers: {
    /** Returns a header by its name in any case. */
    get(name: string): string | null;
  };
  /** True if the body was read before. */
  readonly bodyUsed: boolean;
  /** Stream of the body, or null. */
  readonly body: {
    /** Returns the reader of the stream. */
    getReader(): {
      /** Returns the next part of the body. */
      read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
      /** Stops the stream. */
      cancel(): Promise<void>;
    };
  } | null;
}

/** A function that returns the response to a delivery. */
export type WebhookHandler<R> = (request: UnreadRequest, own: R, body?: () => Promise<RawBody>) => Promise<Response>;

/**
 * Creates the part that Azure, Hono, Next and plain `Request` share. `own` is the request object passed to the handler. `body`
 * reads the raw body if the framework has already read the request.
 */
export function createRequestReceiver<R>(
  adapter: string,
  options: WebhookHandlerOptions,
  handler: EventHandler<R>,
): WebhookHandler<R> {
  const { verifier: verifierOptions, maxBytes } = readAdapterOptions(adapter, options, handler);
  const verifier = createVerifier(verifierOptions);
  return async (request, own, body = () => readRequestBody(request, maxBytes)) => {
    const answer = await receive(
      {
        verify: async () =>
          verifier.verifyDelivery(within(await body(), maxBytes), request.headers, { url: targetOf(request) }),
        handle: ({ event, secret }) =>
          handler(event, { deliveryId: request.headers.get(HEADERS.deliveryId) ?? undefined, request: own, secret }),
      },
      options,
    );
    return Response.json(answer.body, { status: answer.status, headers: { ...answer.headers } });
  };
}

/** Returns path and query in the form of Node's `request.url`. */
function targetOf({ url }: UnreadRequest): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

function within(body: RawBody, maxBytes: number): RawBody {
  if ((typeof body === 'string' ? body.length : body.byteLength) > maxBytes) throw tooLarge(maxBytes);
  return body;
}

async function readRequestBody(request: UnreadRequest, maxBytes: number): Promise<Uint8Array> {
  if (typeof request.headers?.get !== 'function') {
    throw new WebhookVerificationError(
      'BODY_NOT_RAW',
      'This is no Request of the Fetch API: use the adapter of your framework.',
    );
  }
  if (request.bodyUsed) {
    throw new WebhookVerificationError(
      'BODY_NOT_RAW',
      'Something has read the request before: verify first, or give it request.clone().',
    );
  }
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new BrokenBodyError(error);
    });
    if (done || !value) break;
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  return concat(...chunks);
}
