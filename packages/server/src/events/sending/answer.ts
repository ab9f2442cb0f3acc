import { LIMITS, type WebhookDeliveryErrorClass, type WebhookResponseHeader } from '@plat/contract';

/** Result of an attempt. */
export interface Answer {
  /** null when it succeeded. */
  readonly errorClass: WebhookDeliveryErrorClass | null;
  readonly status: number | null;
  /** First KiB of the response headers, as text; null without a response. */
  readonly headers: readonly WebhookResponseHeader[] | null;
  /** First KiB of the response body, as text; null without a response. */
  readonly body: string | null;
  /** `Retry-After` of the response, unparsed. */
  readonly retryAfter: string | null;
  /** Address of the receiver. */
  readonly remoteAddress: string | null;
  readonly durationMs: number;
  readonly timings: PhaseTimes;
  /** The `X-Platform-Signature` of the attempt; null if nothing was signed. */
  readonly signature: string | null;
}

/** An answer as the exchange observes it. */
export type Reply = Omit<Answer, 'signature'>;

/** Durations in whole ms; null when the phase did not end, or was not needed. */
export interface PhaseTimes {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** Since the request was sent. */
  readonly firstByteMs: number | null;
}

const KEPT_BYTES = LIMITS.webhook.storedResponseBytes;

/**
 * Returns the first KiB of headers, counted in bytes.
 * @param raw names and values in turn. Invalid UTF-8 is replaced; the parser refuses control characters.
 */
export function firstHeaders(raw: readonly (Buffer | string)[]): WebhookResponseHeader[] {
  const headers: WebhookResponseHeader[] = [];
  let room = KEPT_BYTES;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    room -= name.length;
    if (room <= 0) break;
    headers.push({ name: name.toString(), value: value.slice(0, room).toString() });
    room -= value.length;
  }
  return headers;
}

/** Collects the first KiB of a body. */
export class FirstBytes {
  readonly #parts: Buffer[] = [];
  #room = KEPT_BYTES;

  add(chunk: Buffer): void {
    if (this.#room <= 0) return;
    // Copied: a slice would keep the whole network buffer alive until the outcome is written.
    const part = Buffer.from(chunk.subarray(0, this.#room));
    this.#parts.push(part);
    this.#room -= part.length;
  }

  /** Returns text that every database accepts: invalid UTF-8 and NUL are replaced, a character cut at the limit is omitted. */
  text(): string {
    if (this.#parts.length === 0) return '';
    return new TextDecoder().decode(Buffer.concat(this.#parts), { stream: true }).replaceAll('\0', '\uFFFD');
  }
}
