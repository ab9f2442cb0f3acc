import { isMailAddress } from '../kernel/mail-address.ts';

/** A mail as whoever has something to say writes it: plain text, to one address. */
export interface Message {
  readonly to: string;
  /** One line; {@link oneLine} makes one of what people typed. */
  readonly subject: string;
  /** Plain text; links as they are. */
  readonly text: string;
  /** What it is about, for the record: `user_invitation`. */
  readonly kind: string;
  /** When it stops being of use to its reader, in ms: from then on it is given up. */
  readonly expiresAt?: number;
}

const SUBJECT_MAX = 255;

/**
 * Refuses what could end a header line or add a recipient. Whether an address is one that people have is decided where
 * it comes in; what arrives here otherwise is a mistake of the caller's.
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

/** Text for a subject: control characters and runs of white space become one space, and what is too long is cut. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length <= SUBJECT_MAX ? line : `${line.slice(0, SUBJECT_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
