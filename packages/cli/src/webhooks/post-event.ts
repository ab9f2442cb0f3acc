import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@plat/contract';
import { signDelivery } from '@plat/webhooks';

/** One event to post to a receiver. */
export interface EventPost {
  readonly url: string;
  /** The exact body; a string is sent as UTF-8. */
  readonly body: string | Uint8Array;
  readonly eventType: string;
  readonly eventId: string;
  readonly deliveryId: string;
  /** Each signs. */
  readonly secrets: readonly string[];
  /** Time of signing, in ms. */
  readonly now: number;
  /** Total timeout in ms, until the last byte of the response. */
  readonly timeoutMs: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

/** The outcome. The receiver accepted the event if {@link wasAccepted}. */
export interface EventAnswer {
  /** null without a response. */
  readonly status: number | null;
  /** Error message; null after a complete response of any status. */
  readonly error: string | null;
  /** `TIMEOUT`, `ABORTED`, or Node's code such as `ECONNREFUSED`. */
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first KiB as text, with control characters. */
  readonly body: string;
}

/**
 * Sends an event once as the platform does: signed, with its headers, without following redirects, on a new
 * connection. Never rejects.
 */
export async function postEvent(post: EventPost): Promise<EventAnswer> {
  const start = performance.now();
  const deadline = AbortSignal.timeout(post.timeoutMs);
  const signal = post.signal ? AbortSignal.any([deadline, post.signal]) : deadline;
  let answer: Pick<EventAnswer, 'status' | 'headers' | 'body'> = { status: null, headers: {}, body: '' };
  let failure: Pick<EventAnswer, 'error' | 'errorCode'> = { error: null, errorCode: null };
  try {
    const response = await send(post, signal);
    answer = { status: response.statusCode ?? null, headers: headersOf(response), body: '' };
    for await (const body of bodyOf(response)) answer = { ...answer, body };
  } catch (error) {
    failure = failureOf(error, post, deadline);
  }
  return { ...answer, ...failure, durationMs: Math.round(performance.now() - start) };
}

/** Returns whether the receiver accepted the event: a complete 2xx response. */
export function wasAccepted({ status, error }: Pick<EventAnswer, 'status' | 'error'>): boolean {
  return error === null && status !== null && status >= 200 && status < 300;
}

async function send({ body, now, secrets, ...post }: EventPost, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(post.url);
  const { request: open } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Platform-Webhooks/1.0',
    'X-Platform-Event': post.eventType,
    'X-Platform-Event-Id': post.eventId,
    'X-Platform-Signature': signDelivery({ body, secrets, timestamp: Math.floor(now / 1000) }),
    'X-Platform-Delivery-Id': post.deliveryId,
  };
  return new Promise((resolve, reject) => {
    open(url, { method: 'POST', agent: false, signal, headers })
      .on('response', resolve)
      .on('error', reject)
      .on('close', () => reject(new Error('the connection ended without a response')))
      .end(body);
  });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Yields the body as it arrives, up to the first KiB. */
async function* bodyOf(response: IncomingMessage): AsyncGenerator<string> {
  const { responseBytes, storedResponseBytes } = LIMITS.webhook;
  let kept: Buffer = Buffer.alloc(0);
  let read = 0;
  const chunks: AsyncIterable<Buffer> = response;
  for await (const chunk of chunks) {
    read += chunk.length;
    if (kept.length < storedResponseBytes) {
      kept = Buffer.concat([kept, chunk]).subarray(0, storedResponseBytes);
      // Drops a character that was cut at the end.
      yield new TextDecoder().decode(kept, { stream: true });
    }
    if (read > responseBytes) return;
  }
}

function failureOf(
  error: unknown,
  { timeoutMs, signal }: EventPost,
  deadline: AbortSignal,
): Pick<EventAnswer, 'error' | 'errorCode'> {
  if (signal?.aborted) return { error: 'canceled', errorCode: 'ABORTED' };
  if (deadline.aborted) return { error: `no complete response within ${timeoutMs / 1000} s`, errorCode: 'TIMEOUT' };
  // With several addresses each has its own error, and the AggregateError has no message.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const message = first instanceof Error ? first.message : String(first);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNEXPECTED';
  return { error: message, errorCode: code };
}
