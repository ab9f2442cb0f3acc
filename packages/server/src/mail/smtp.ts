import { createTransport } from 'nodemailer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { MailConfig } from '../config/mail.ts';
import { MailRefused, type MailTransport, SEND_MS } from './transport.ts';

/** Maximum number of in-flight mails, each on its own connection. */
export const CONNECTIONS = 4;
const CONNECT_MS = 15_000;
const SILENCE_MS = 30_000;

/**
 * Creates a transport that sends over SMTP with a pool of connections. The options of the URL take precedence over
 * those set here, as in nodemailer: `smtps://`, `?requireTLS=true`, `?tls.rejectUnauthorized=false`.
 */
export function createSmtp({ smtpUrl, from }: MailConfig, sendMs = SEND_MS): MailTransport {
  const pool = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    // Only for a pooled connection that the server has closed meanwhile; the queue retries all other failures.
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
          // Derived from the mail, not the attempt, so that a recipient can detect a duplicate.
          messageId: `<${id}@${domain}>`,
          date: new Date(createdAt),
          headers: { 'Auto-Submitted': 'auto-generated' },
          // No other timeout detects a server that answers a byte at a time.
          signal: AbortSignal.timeout(sendMs),
        });
      } catch (error) {
        throw isPermanent(error) ? new MailRefused(error.message, { cause: error }) : error;
      }
    },
    close: () => pool.close({ force: true }),
  };
}

/**
 * Connects, greets and authenticates, and sends no mail.
 * @throws Error with the reason
 */
export async function verifySmtp({ smtpUrl }: MailConfig, waitMs: number): Promise<void> {
  const limits = { dnsTimeout: waitMs, connectionTimeout: waitMs, greetingTimeout: waitMs, socketTimeout: waitMs };
  const transport = createTransport({ url: smtpUrl, ...limits, disableFileAccess: true, disableUrlAccess: true });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Prevents nodemailer from treating a subject as encoded that only looks so. It encodes non-ASCII text itself. */
function literal(subject: string): string {
  return subject.includes('=?') ? encodeWord(subject, 'B', 52) : subject;
}

/**
 * Returns true for a 5xx to the recipient or the content, which refuses this mail. Refusals of the connection, the
 * credentials or the sender affect every mail, and the operator can correct them.
 */
function isPermanent(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { command, permanent } = error as Error & { readonly command?: unknown; readonly permanent?: unknown };
  return permanent === true && (command === 'RCPT TO' || command === 'DATA');
}
