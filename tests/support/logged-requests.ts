import { newId, type TestServer, unitOfWork } from '@plat/server/testing';

interface Kind {
  readonly method: string;
  readonly operation: string;
  readonly outcome: 'succeeded' | 'failed';
  readonly code: string | null;
}

/** Requests of a busy tenant: mostly reads, some writes, a few refusals. */
const KINDS: readonly Kind[] = [
  ...Array.from(
    { length: 7 },
    (): Kind => ({ method: 'GET', operation: 'clients.list', outcome: 'succeeded', code: null }),
  ),
  { method: 'POST', operation: 'clients.create', outcome: 'succeeded', code: null },
  { method: 'POST', operation: 'clients.create', outcome: 'failed', code: 'INVALID_BODY' },
  { method: 'GET', operation: 'clients.get', outcome: 'failed', code: 'CLIENT_NOT_FOUND' },
];

interface Rows {
  readonly tenantId: string;
  readonly count: number;
  /** Ids of their credentials, in turn. */
  readonly credentials: readonly string[];
  /** Time of the first one in ms; one follows each ms. */
  readonly from: number;
}

/** Inserts request log entries, oldest first. Resolves to their ids. */
export async function insertLoggedRequests(
  { db }: TestServer,
  { tenantId, count, credentials, from }: Rows,
): Promise<readonly string[]> {
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ tenant_id: tenantId, id: newId('request', from + n), path: '/v1/clients', query: null, status: 200 },
    ...KINDS[n % KINDS.length],
    ...{ refusal: null, credential_type: 'api_key', credential_id: credentials[n % credentials.length], app_id: null },
    ...{ idempotency_key: null, idempotent_replayed: 0, ip: '127.0.0.1', user_agent: 'plat-sdk/1.0.0' },
    ...{ duration_us: 3_200, created_at: from + n },
  }));
  const queries = db.sequelize.getQueryInterface();
  for (let at = 0; at < rows.length; at += 5_000) {
    const some = rows.slice(at, at + 5_000);
    await unitOfWork(db, (transaction) => queries.bulkInsert('requests', some, { transaction }));
  }
  return rows.map(({ id }) => id);
}
