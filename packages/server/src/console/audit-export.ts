import { type AuditEvent, type AuditEventListParams, csvLine } from '@plat/contract';
import type { ReadContext } from '../context.ts';
import { listAuditEvents } from '../resources/audit/audit.service.ts';
import type { FileAnswer } from './page-route.ts';

/** Entries of one query. */
const BATCH = 100;

/** Formats of an export: the media type, the first line, and the line of an entry. */
const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csvLine([
      ...['id', 'created_at', 'action', 'actor_type', 'actor_id', 'target_type', 'target_id', 'request_id'],
      ...['session_id', 'ip', 'changes'],
    ]),
    line: ({ id, created_at, action, actor, target, request_id, session_id, ip, changes }: AuditEvent): string =>
      csvLine([
        ...[id, created_at, action, actor.type, actor.id, target.type, target.id, request_id, session_id, ip],
        changes && JSON.stringify(changes),
      ]),
  },
  ndjson: { type: 'application/x-ndjson', head: '', line: (entry: AuditEvent): string => `${JSON.stringify(entry)}\n` },
} as const;

/** Format of an export. */
export type ExportFormat = keyof typeof FORMATS;

/** Returns all entries that match the filters as a file, newest first. It is read in batches while it is sent. */
export function auditExport(ctx: ReadContext, format: ExportFormat, filters: AuditEventListParams): FileAnswer {
  const { type } = FORMATS[format];
  const day = new Date(ctx.now).toISOString().slice(0, 10);
  return { file: { name: `audit-${ctx.tenantId}-${day}.${format}`, type, content: linesOf(ctx, format, filters) } };
}

async function* linesOf(
  ctx: ReadContext,
  format: ExportFormat,
  { limit: _limit, starting_after: _after, ending_before: _before, ...filters }: AuditEventListParams,
): AsyncGenerator<string> {
  const { head, line } = FORMATS[format];
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  let cursor: string | undefined;
  yield head;
  do {
    const after = cursor === undefined ? {} : { starting_after: cursor };
    const page = await listAuditEvents(ctx, { ...Object.fromEntries(given), limit: BATCH, ...after });
    yield page.data.map(line).join('');
    cursor = page.hasMore ? (page.nextCursor ?? page.data.at(-1)?.id) : undefined;
  } while (cursor !== undefined);
}
