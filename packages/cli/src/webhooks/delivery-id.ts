import { randomBytes } from 'node:crypto';
import { ID_DIGITS, ID_PREFIXES } from '@plat/contract';

/** Returns a delivery id for a delivery outside the platform. */
export function newDeliveryId(): string {
  const tail = Array.from(randomBytes(25), (byte) => ID_DIGITS.charAt(byte % ID_DIGITS.length));
  return `${ID_PREFIXES.webhook_delivery}_0${tail.join('')}`;
}
