import { createTransport } from 'nodemailer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { MailConfig } from '../config/mail.ts';
import { MailRefused, type MailTransport, SEND_MS } from './transport.ts';

/** Mails under way at once, each on a connection of its own. */
export const CONNECTIONS = 4;
const CONNECT_MS = 15_000;
const SILENCE_MS = 30_000;

/**
 * Sends over SMTP by a pool of connections. What the URL says goes before what is set here, as nodemailer has it:
 * `smtps://`, `?requireTLS=true`, `?tls.rejectUnauthorized=false`.
 */
export function createSmtp({ smtpUrl, from }: MailConfig, sendMs = SEND_MS): MailTransport {
  const pool = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    // Only for a pooled connection that the server has closed meanwhile; all else is retried by the queue.
    maxRequeues: 1,
    dnsTimeout: CONNECT_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    keepsText: false,
    async send({ id, to, subject, text, createdAt }) {
      try {
        await pool.sendMail({
          from,
          to: { name: '', address: to },
          envelope: { from: from.address, to },
          subject: literal(subject),
          text,
          // Of the mail, not of the attempt: whoever gets it twice can tell.
          messageId: `<${id}@${domain}>`,
          date: new Date(createdAt),
          headers: { 'Auto-Submitted': 'auto-generated' },
          // No other timeout notices a server that answers a byte at a time.
          signal: AbortSignal.timeout(sendMs),
        });
      } catch (error) {
        throw isForGood(error) ? new MailRefused(messageOf(error), { cause: error }) : error;
      }
    },
    close: () => pool.close({ force: true }),
  };
}

/** nodemailer encodes what is not ASCII; what looks encoded already is meant as it stands, too. */
function literal(subject: string): string {
  return subject.includes('=?') ? encodeWord(subject, 'B', 52) : subject;
}

/**
 * A 5xx to the recipient or to the content, where the mail itself is meant. What is said to the connection, the
 * credentials or the sender concerns every mail, and the operator can still set it right.
 */
function isForGood(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { command, permanent } = error as Error & { readonly command?: unknown; readonly permanent?: unknown };
  return permanent === true && (command === 'RCPT TO' || command === 'DATA');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
