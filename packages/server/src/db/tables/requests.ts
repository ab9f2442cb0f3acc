import type { ErrorCode, LoggedCredential, RequestOutcome } from '@plat/contract';
import { ascii, bigint, id, instant, integer, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An entry of the request log. */
export const REQUESTS = defineTable(
  'requests',
  {
    /** `-` for a request without a valid credential. */
    tenant_id: primaryKey(ascii(30)),
    id: primaryKey(id()),
    method: ascii(16),
    path: longText(),
    query: nullable(longText()),
    operation: nullable(ascii(64)),
    outcome: ascii<RequestOutcome>(16),
    status: nullable(integer()),
    code: nullable(ascii<ErrorCode>(64)),
    /** JSON: the message and the fields of the refusal. */
    refusal: nullable(longText()),
    credential_type: nullable(ascii<LoggedCredential['type']>(16)),
    credential_id: nullable(ascii(64)),
    app_id: nullable(ascii(30)),
    idempotency_key: nullable(longText()),
    idempotent_replayed: integer<0 | 1>(),
    ip: nullable(ascii(45)),
    user_agent: nullable(longText()),
    duration_us: bigint(),
    created_at: instant(),
  },
  [],
  {
    requests_code: ['code'],
    requests_operation_outcome: ['operation', 'outcome'],
    requests_operation: ['operation'],
    requests_method_outcome: ['method', 'outcome'],
    requests_credential_id_outcome: ['credential_id', 'outcome'],
    requests_credential_id: ['credential_id'],
    requests_outcome: ['outcome'],
    requests_method: ['method'],
  },
);
export type RequestRow = RowOf<typeof REQUESTS>;
