import { subscribe } from 'node:diagnostics_channel';
import { env } from 'node:process';

/*
 * Preloaded into each server process of the tally: adds the sending process to its deliveries. The server is unchanged;
 * its HTTP client publishes requests on a diagnostics channel before it sends them.
 */

export const SENDER_HEADER = 'x-tally-sender';

/** Message of the HTTP client's diagnostics channel. */
interface Told {
  readonly request: { addHeader(name: string, value: string): void };
}

const sender = env['TALLY_SENDER'];
if (sender !== undefined) {
  subscribe('undici:request:create', (told) => (told as Told).request.addHeader(SENDER_HEADER, sender));
}
