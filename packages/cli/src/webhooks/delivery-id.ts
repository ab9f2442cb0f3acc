import { randomBytes } from 'node:crypto';

/** An id for a delivery that the platform does not know of. */
export function newDeliveryId(): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz';
  return `del_0${Array.from(randomBytes(25), (byte) => letters.charAt(byte % 32)).join('')}`;
}
