import { select, type TestServer } from '@plat/server/testing';

/** Content of the database at the end. */
export interface Ledger {
  readonly clients: readonly ClientRow[];
  readonly events: readonly EventRow[];
  readonly deliveries: readonly DeliveryRow[];
}

export interface ClientRow {
  readonly id: string;
  readonly updated_at: number;
}

export interface EventRow {
  readonly id: string;
  readonly tenantId: string;
  readonly type: string;
  readonly clientId: string;
  readonly updatedAt: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly attempt: number;
  readonly status: 'pending' | 'succeeded' | 'retrying' | 'failed';
  readonly scheduled_at: number;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
}

export async function readLedger(db: TestServer['db'], tenantIds: readonly string[]): Promise<Ledger> {
  const clients: ClientRow[] = [];
  const events: EventRow[] = [];
  const deliveries: DeliveryRow[] = [];
  for (const tenantId of tenantIds) {
    clients.push(...(await readAll<ClientRow>(db, 'clients', 'id, updated_at', tenantId)));
    for (const { id, type, payload } of await readAll<StoredEvent>(db, 'events', 'id, type, payload', tenantId)) {
      const { data }: { data: { id: string; updated_at: string } } = JSON.parse(payload);
      events.push({ id, tenantId, type, clientId: data.id, updatedAt: data.updated_at });
    }
    const columns = 'id, event_id, endpoint_id, attempt, status, scheduled_at, response_status, response_body, error';
    deliveries.push(...(await readAll<DeliveryRow>(db, 'webhook_deliveries', columns, tenantId)));
  }
  return { clients, events, deliveries };
}

/** Returns the number of deliveries that are due at a time and not done. */
export async function countDue(db: TestServer['db'], tenantIds: readonly string[], now: number): Promise<number> {
  const rows = await select<{ due: number }>(
    db,
    "SELECT COUNT(*) AS due FROM webhook_deliveries WHERE tenant_id IN (:tenantIds) AND status = 'pending' AND scheduled_at <= :now",
    { tenantIds: [...tenantIds], now },
  );
  return rows[0]?.due ?? 0;
}

interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: string;
}

const PAGE = 5_000;

async function readAll<Row extends { readonly id: string }>(
  db: TestServer['db'],
  table: string,
  columns: string,
  tenantId: string,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let after = ''; ; after = all.at(-1)?.id ?? '') {
    const page = await select<Row>(
      db,
      `SELECT ${columns} FROM ${table} WHERE tenant_id = :tenantId AND id > :after ORDER BY id LIMIT ${PAGE}`,
      { tenantId, after },
    );
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
