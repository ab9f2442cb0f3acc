/** A mail to be sent. */
export interface OutgoingMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly kind: string;
  /** Time of creation, in ms. */
  readonly createdAt: number;
}

/** Sends mails from this process. */
export interface MailTransport {
  /** True if texts stay in the table, to be read on the page of the development mode. */
  readonly keepsText: boolean;
  /**
   * Resolves when another server has accepted responsibility for the mail. Settles within {@link SEND_MS}.
   * @throws MailRefused if a further attempt cannot succeed; any other error means that it may
   */
  send(mail: OutgoingMail): Promise<void>;
  /** Aborts in-flight mails. */
  close(): void;
}

/** Time limit of one attempt, in ms. */
export const SEND_MS = 60_000;

/** Thrown when the mail itself is refused permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
