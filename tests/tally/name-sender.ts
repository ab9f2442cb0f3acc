import { subscribe } from 'node:diagnostics_channel';
import { env } from 'node:process';

/*
 * Loaded into each server process of the tally: adds to its deliveries which process sends them. The server knows nothing
 * of it; its HTTP client tells of requests before it sends them.
 */

export const SENDER_HEADER = 'x-tally-sender';

/** What the HTTP client tells with. */
interface Told {
  readonly request: { addHeader(name: string, value: string): void };
}

const sender = env['TALLY_SENDER'];
if (sender !== undefined) {
  subscribe('undici:request:create', (told) => (told as Told).request.addHeader(SENDER_HEADER, sender));
}
