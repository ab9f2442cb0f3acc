import { LIMITS, type WebhookDeliveryErrorClass, type WebhookResponseHeader } from '@plat/contract';
import type { Dispatcher } from 'undici';
import { FirstBytes, firstHeaders, type Reply } from './answer.ts';
import { MAX_SOCKET_BYTES, noPhases, receivedBytes, takePhases } from './connection.ts';
import { classifyFailure } from './failure.ts';
import type { ObservedClient } from './observed-client.ts';

/** One request and its response. It ends with the response, its size limit, an error or the deadline. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (reply: Reply) => void;
  readonly #start = performance.now();
  readonly #deadline: NodeJS.Timeout;
  #client: ObservedClient | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #phases = noPhases();
  #remoteAddress: string | null = null;
  #sentAt: number | undefined;
  #firstByteMs: number | null = null;
  #status: number | null = null;
  #headers: readonly WebhookResponseHeader[] | null = null;
  #retryAfter: string | null = null;
  readonly #body = new FirstBytes();
  #readBytes = 0;
  #stopWatching: () => void = () => undefined;

  constructor(deadlineMs: number, settle: (reply: Reply) => void) {
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

  onClient(client: ObservedClient): void {
    this.#client = client;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) {
      // The connection opened after the deadline: the request must not be sent.
      this.#drop();
      return;
    }
    this.#readConnection();
    this.#watchSocket();
    this.#sentAt = performance.now();
  }

  onResponseStarted(): void {
    if (this.#sentAt !== undefined) this.#firstByteMs ??= performance.now() - this.#sentAt;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = firstHeaders(Array.isArray(controller.rawHeaders) ? controller.rawHeaders : []);
    this.#retryAfter = [headers['retry-after'] ?? null].flat()[0] ?? null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#readBytes += chunk.length;
    this.#body.add(chunk);
    if (this.#readBytes > LIMITS.webhook.responseBytes) {
      this.#end(this.#errorClass());
      this.#drop();
    }
  }

  onResponseEnd(): void {
    this.#end(this.#errorClass());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  #errorClass(): WebhookDeliveryErrorClass | null {
    if (this.#status === null) return 'protocol';
    if (this.#status < 300) return null;
    return this.#status < 400 ? 'redirect' : 'http_status';
  }

  #end(errorClass: WebhookDeliveryErrorClass | null): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#stopWatching();
    if (this.#sentAt === undefined) this.#readConnection();
    const { dnsMs, connectMs, tlsMs } = this.#phases;
    this.#settle({
      errorClass,
      status: this.#status,
      headers: this.#headers,
      body: this.#status === null ? null : this.#body.text(),
      retryAfter: this.#retryAfter,
      remoteAddress: this.#remoteAddress,
      durationMs: Math.round(performance.now() - this.#start),
      timings: {
        dnsMs: rounded(dnsMs),
        connectMs: rounded(connectMs),
        tlsMs: rounded(tlsMs),
        firstByteMs: rounded(this.#firstByteMs),
      },
    });
  }

  /** Limits the bytes that undici does not report: informational responses, and extensions of chunks. */
  #watchSocket(): void {
    const connection = this.#client?.connection;
    const socket = connection?.socket;
    if (!socket) return;
    connection.maxBytes = receivedBytes(socket) + MAX_SOCKET_BYTES;
    const check = (): void => {
      if (receivedBytes(socket) <= connection.maxBytes) return;
      this.#end(this.#errorClass());
      this.#drop();
    };
    // undici's own listener runs first, so a response that ends within this read has ended.
    socket.on('readable', check);
    this.#stopWatching = () => socket.off('readable', check);
  }

  #readConnection(): void {
    const connection = this.#client?.connection;
    if (!connection) return;
    this.#phases = takePhases(connection);
    this.#remoteAddress = connection.remoteAddress;
  }

  #drop(): void {
    this.#controller?.abort(new Error('the exchange is over'));
  }
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
