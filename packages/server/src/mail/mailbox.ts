import type { Database } from '../db/database.ts';
import type { Sealer } from '../kernel/seal.ts';
import { openText } from './queue-mail.ts';

/** A mail as it can be read again. */
export interface KeptMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** null: forgotten after it was sent, or sealed under another master key. */
  readonly text: string | null;
  readonly kind: string;
  /** In ms. */
  readonly createdAt: number;
}

const MOST = 100;

/** The latest mails, newest first, whatever became of them. Shows secrets: for development and tests. */
export async function readMailbox(db: Database, sealer: Sealer): Promise<readonly KeptMail[]> {
  const rows = await db.models.mail.findAll({ order: [['id', 'DESC']], limit: MOST, raw: true });
  return rows.map(({ id, recipient, subject, body, kind, created_at }) => ({
    id,
    to: recipient,
    subject,
    text: body && readable(sealer, id, body),
    kind,
    createdAt: created_at,
  }));
}

function readable(sealer: Sealer, id: string, body: Buffer): string | null {
  try {
    return openText(sealer, id, body);
  } catch {
    return null;
  }
}
