import type { IncomingMessage } from 'node:http';

/** Returns how often a header is given. Of a header that may be given once, Node's `headers` has the first. */
export function timesGiven(name: string, { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  return rawHeaders.filter((given, i) => i % 2 === 0 && given.toLowerCase() === name).length;
}
