import { dueNow } from '../../db/database-clock.ts';
import { execute, select } from '../../db/sql.ts';
import type { MailRow } from '../../db/tables/mails.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { isoTime } from '../../kernel/clock.ts';
import type { Operator } from './operator.ts';

export type MailStatus = MailRow['status'];

type Listed = Pick<MailRow, 'id' | 'tenant_id' | 'kind' | 'status' | 'attempts' | 'due_at' | 'error' | 'created_at'>;

/** Lists mails without their recipients and texts, newest first. */
export async function listMails(
  { db }: Operator,
  { status, limit }: { readonly status: MailStatus; readonly limit: number },
) {
  const rows = await select<Listed>(
    db,
    `SELECT id, tenant_id, kind, status, attempts, due_at, error, created_at FROM mails
     WHERE status = :status ORDER BY id DESC LIMIT ${limit}`,
    { status },
  );
  return rows.map((row) => ({ ...row, due_at: isoTime(row.due_at), created_at: isoTime(row.created_at) }));
}

/** Makes queued mails that failed due now, for example after the mail server works again. A mail that was given up has no text any more. */
export async function retryMails({ db }: Operator) {
  const sql = `UPDATE mails SET due_at = ${dueNow(db)} WHERE status = 'queued' AND error IS NOT NULL AND due_at > ${dueNow(db)}`;
  return { due_now: await unitOfWork(db, (transaction) => execute(db, sql, {}, transaction)) };
}
