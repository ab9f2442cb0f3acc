import { shorten } from '@plat/contract';
import { isMailAddress } from '../kernel/mail-address.ts';

/** The content of a mail: plain text, to one address. */
export interface Message {
  readonly to: string;
  /** Subject of one line; {@link oneLine} converts user-supplied text. */
  readonly subject: string;
  /** Plain text with unencoded links. */
  readonly text: string;
  /** Kind of mail, for the record: `user_invitation`. */
  readonly kind: string;
  /** Time after which the mail is useless to its reader, in ms. It is not sent after that. */
  readonly expiresAt?: number;
}

const SUBJECT_MAX = 255;

/**
 * Refuses values that could end a header line or add a recipient. Addresses are validated where they enter the service,
 * so a failure here is a bug of the caller.
 * @throws Error naming the field, never its value
 */
export function assertSendable({ to, subject }: Pick<Message, 'to' | 'subject'>): void {
  if (!isMailAddress(to)) {
    throw new Error('a mail goes to exactly one plain address');
  }
  if (subject.length > SUBJECT_MAX || !/^[^\p{Cc}\u2028\u2029]+$/u.test(subject)) {
    throw new Error(`the subject of a mail is one line of 1 to ${SUBJECT_MAX} characters`);
  }
}

/** Converts text for a subject: control characters and runs of white space become one space. Long text is shortened. */
export function oneLine(text: string): string {
  return shorten(text.replace(/[\s\p{Cc}]+/gu, ' ').trim(), SUBJECT_MAX);
}
