import { LIMITS, type WebhookDeliveryErrorClass } from '@plat/contract';
import { signDelivery } from '@plat/webhooks';
import { Agent, type Dispatcher } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { classifyFailure } from './failure.ts';
import { createGuardedConnect, type Resolve } from './guarded-connect.ts';

/** One attempt: an event on its way to an endpoint. */
export interface Attempt {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The body, as committed with the event. */
  readonly payload: string;
  readonly url: string;
  /** Those valid now; each signs. */
  readonly secrets: readonly string[];
  /** The instant of the attempt, in ms: what the signature says. */
  readonly at: number;
}

/** What came of an attempt. */
export interface Answer {
  readonly status: number | null;
  /** The first KiB as text; null when there was no answer. */
  readonly body: string | null;
  /** null when it succeeded. */
  readonly errorClass: WebhookDeliveryErrorClass | null;
  /** The answer's `Retry-After` as it stands. */
  readonly retryAfter: string | null;
  readonly durationMs: number;
}

export interface Deliverer {
  /** Sends one signed POST. Never rejects. */
  deliver(attempt: Attempt): Promise<Answer>;
  /** Closes every connection at once. */
  close(): Promise<void>;
}

export interface DelivererOptions {
  readonly guard: AddressGuard;
  /** How long an attempt may take in all, in ms. */
  readonly deadlineMs?: number;
  readonly resolve?: Resolve;
}

/** Connections are kept alive for each target and shared by its deliveries; redirects are not followed. */
export function createDeliverer({
  guard,
  deadlineMs = LIMITS.webhook.timeoutSeconds * 1000,
  resolve,
}: DelivererOptions): Deliverer {
  const agent = new Agent({
    connect: createGuardedConnect(guard, deadlineMs, resolve),
    pipelining: 1,
    keepAliveMaxTimeout: 60_000,
    // The one deadline is over everything; idle timers would let a dripping answer go on for ever.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    deliver: (attempt) => new Promise((settle) => post(agent, attempt, deadlineMs, settle)),
    close: () => agent.destroy(),
  };
}

function post(agent: Agent, attempt: Attempt, deadlineMs: number, settle: (answer: Answer) => void): void {
  const exchange = new Exchange(deadlineMs, settle);
  try {
    const url = new URL(attempt.url);
    const body = Buffer.from(attempt.payload);
    const signature = signDelivery({ body, secrets: attempt.secrets, timestamp: Math.floor(attempt.at / 1000) });
    const headers = [
      'Content-Type',
      'application/json',
      'User-Agent',
      'Platform-Webhooks/1.0',
      'X-Platform-Event',
      attempt.eventType,
      'X-Platform-Event-Id',
      attempt.eventId,
      'X-Platform-Signature',
      signature,
      'X-Platform-Delivery-Id',
      attempt.deliveryId,
    ];
    agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body }, exchange);
  } catch (error) {
    exchange.fail(error);
  }
}

/** One request and its answer, until the first of: the answer's end, its size limit, an error, the deadline. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (answer: Answer) => void;
  readonly #start = performance.now();
  readonly #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status: number | null = null;
  #retryAfter: string | null = null;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #readBytes = 0;

  constructor(deadlineMs: number, settle: (answer: Answer) => void) {
    this.#settle = settle;
    // Timers of one duration share a list in Node, so this costs next to nothing; an AbortSignal does not.
    this.#deadline = setTimeout(() => {
      this.#end('timeout');
      this.#drop();
    }, deadlineMs);
  }

  fail(error: unknown): void {
    this.#end(classifyFailure(error));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The connection came up after the deadline: nothing may be sent on it any more.
    if (this.#settled) this.#drop();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = [headers['retry-after'] ?? null].flat()[0] ?? null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#readBytes += chunk.length;
    const room = LIMITS.webhook.storedResponseBytes - this.#keptBytes;
    if (room > 0) {
      // Copied: a slice would keep the whole network buffer alive until the outcome is written.
      const part = Buffer.from(chunk.subarray(0, room));
      this.#kept.push(part);
      this.#keptBytes += part.length;
    }
    if (this.#readBytes > LIMITS.webhook.responseBytes) {
      this.#end(this.#verdict());
      this.#drop();
    }
  }

  onResponseEnd(): void {
    this.#end(this.#verdict());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  #verdict(): WebhookDeliveryErrorClass | null {
    if (this.#status === null) return 'protocol';
    if (this.#status < 300) return null;
    return this.#status < 400 ? 'redirect' : 'http_status';
  }

  #end(errorClass: WebhookDeliveryErrorClass | null): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#settle({
      status: this.#status,
      body: this.#status === null ? null : safeText(this.#kept),
      errorClass,
      retryAfter: this.#retryAfter,
      durationMs: Math.round(performance.now() - this.#start),
    });
  }

  #drop(): void {
    this.#controller?.abort(new Error('the exchange is over'));
  }
}

/** Text that every database takes: broken UTF-8 replaced, a character cut at the limit left out, no NUL. */
function safeText(parts: readonly Buffer[]): string {
  if (parts.length === 0) return '';
  return new TextDecoder().decode(Buffer.concat(parts), { stream: true }).replaceAll('\0', '\uFFFD');
}
