/** A delivery as its headers name it. */
export interface HeadedDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Value of `X-Platform-Signature`; null if it is not known any more. */
  readonly signature: string | null;
}

/** Returns names and values in turn: the headers of a delivery, without those that the HTTP client adds. */
export function deliveryHeaders({ deliveryId, eventId, eventType, signature }: HeadedDelivery): string[] {
  const headers = ['Content-Type', 'application/json', 'User-Agent', 'Platform-Webhooks/1.0'];
  headers.push('X-Platform-Event', eventType, 'X-Platform-Event-Id', eventId);
  if (signature !== null) headers.push('X-Platform-Signature', signature);
  headers.push('X-Platform-Delivery-Id', deliveryId);
  return headers;
}

/** Number of digits of each signature that a delivery keeps: enough to compare, too few to send the delivery again. */
const START = 8;

/** Returns the start of each digest of a signature header, separated by commas. */
export function startsOfSignature(signature: string): string {
  return [...signature.matchAll(/v1=(\w+)/g)].map(([, digest = '']) => digest.slice(0, START)).join(',');
}

/** Returns the time of a signature in whole Unix seconds. */
export function signedAt(attemptedAt: number): number {
  return Math.floor(attemptedAt / 1000);
}

/** Returns the signature header of a past attempt, with the start of each digest. */
export function shortenedSignature(starts: string, attemptedAt: number): string {
  const digests = starts.split(',').map((start) => `,v1=${start}…`);
  return `t=${signedAt(attemptedAt)}${digests.join('')}`;
}
