import type { Database } from '../db/database.ts';
import type { Sealer } from '../kernel/seal.ts';
import { openText } from './queue-mail.ts';

/** A stored mail with its readable text. */
export interface KeptMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** Null if the text was deleted after sending, or was sealed with another master key. */
  readonly text: string | null;
  readonly kind: string;
  /** Time of creation, in ms. */
  readonly createdAt: number;
}

const MOST = 100;

/** Returns the latest mails in any state, newest first. It exposes secrets, so it is for development and tests. */
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
