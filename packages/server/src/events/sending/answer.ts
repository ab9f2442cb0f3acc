import { LIMITS, type WebhookDeliveryErrorClass, type WebhookResponseHeader } from '@plat/contract';

/** What came of an attempt. */
export interface Answer {
  /** null when it succeeded. */
  readonly errorClass: WebhookDeliveryErrorClass | null;
  readonly status: number | null;
  /** The first KiB of them, as text; null when there was no answer. */
  readonly headers: readonly WebhookResponseHeader[] | null;
  /** The first KiB as text; null when there was no answer. */
  readonly body: string | null;
  /** The answer's `Retry-After` as it stands. */
  readonly retryAfter: string | null;
  /** What was connected to. */
  readonly remoteAddress: string | null;
  readonly durationMs: number;
  readonly timings: PhaseTimes;
}

/** In whole ms; null: did not come to its end, or was not needed. */
export interface PhaseTimes {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** Since the request was sent. */
  readonly firstByteMs: number | null;
}

const KEPT_BYTES = LIMITS.webhook.storedResponseBytes;

/**
 * The first KiB of headers, by their bytes: names and values in turn. What is no UTF-8 is replaced; a header with a
 * control character, NUL among them, never gets past the parser.
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

/** The first KiB of a body that comes in pieces. */
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

  /** Text that every database takes: broken UTF-8 replaced, a character cut at the limit left out, no NUL. */
  text(): string {
    if (this.#parts.length === 0) return '';
    return new TextDecoder().decode(Buffer.concat(this.#parts), { stream: true }).replaceAll('\0', '\uFFFD');
  }
}
