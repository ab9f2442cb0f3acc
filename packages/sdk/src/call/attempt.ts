import type { TransportRequest } from '../transport/transport.ts';

/** One attempt. The AbortController behind `signal` is created only when a transport reads it. */
export class Attempt implements TransportRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  #controller: AbortController | undefined;
  #stop: ((reason: Error) => void) | undefined;
  #reason: Error | undefined;

  constructor(
    method: string,
    origin: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ) {
    this.method = method;
    this.origin = origin;
    this.path = path;
    this.headers = headers;
    this.body = body;
  }

  get url(): string {
    return this.origin + this.path;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  onCancel(stop: (reason: Error) => void): void {
    this.#stop = stop;
    if (this.#reason) stop(this.#reason);
  }

  cancel(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#stop?.(reason);
  }
}
