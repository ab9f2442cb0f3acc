/** A mail on its way out. */
export interface OutgoingMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly kind: string;
  /** In ms. */
  readonly createdAt: number;
}

/** The way a mail leaves this process. */
export interface MailTransport {
  /** Whether texts stay in the table, to be read on the page of the development mode. */
  readonly keepsText: boolean;
  /**
   * Resolves when somebody else answers for the mail. Ends, one way or the other, within {@link SEND_MS}.
   * @throws MailRefused when no further attempt would help; any other error: it may
   */
  send(mail: OutgoingMail): Promise<void>;
  /** Cuts what is still under way. */
  close(): void;
}

/** How long one attempt may take in all, in ms. */
export const SEND_MS = 60_000;

/** The mail itself was refused for good. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
