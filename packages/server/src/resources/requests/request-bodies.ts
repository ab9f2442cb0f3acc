import type { ReadContext } from '../../context.ts';
import { select } from '../../db/sql.ts';
import { columnsOf } from '../../db/statements.ts';
import { REQUEST_BODIES, type RequestBodiesRow } from '../../db/tables/request-bodies.ts';

/** The redacted bodies of a request. Text that the log cut has fewer bytes than the body had. */
export interface RequestBodies {
  readonly request: string | null;
  readonly requestBytes: number;
  readonly response: string | null;
  readonly responseBytes: number;
}

const FIND = `SELECT ${columnsOf(REQUEST_BODIES).join(', ')} FROM request_bodies
  WHERE tenant_id = :tenantId AND request_id IN (:ids) AND expires_at > :now`;

/** Returns the bodies of some requests, by request id. Most requests have none. */
export async function readBodies(
  { db, tenantId, now, transaction }: ReadContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RequestBodies>> {
  if (ids.length === 0) return new Map();
  const rows = await select<RequestBodiesRow>(db, FIND, { tenantId, ids, now }, transaction);
  return new Map(
    rows.map((row) => [
      row.request_id,
      {
        request: row.request_body,
        requestBytes: row.request_bytes,
        response: row.response_body,
        responseBytes: row.response_bytes,
      },
    ]),
  );
}
