import { select, type TestServer } from '@plat/server/testing';
import { expect } from 'vitest';
import type { Api } from './api.ts';

/** Environment of servers whose sandboxes are changed all the time. */
export const MANY_CHANGES = {
  PLAT_SANDBOX_WRITES: '1000000',
  PLAT_SANDBOX_QUOTAS: 'clients=100000',
  PLAT_RATE_LIMIT: '1000000',
} as const;

interface Sandbox {
  readonly db: TestServer['db'];
  readonly tenantId: string;
}

/** Creates a client of the race. Returns its id; null when the server was too busy with conflicts. */
export async function createRaced(api: Api): Promise<string | null> {
  const { status, body } = await api('/v1/clients', { body: { name: 'Raced' } });
  if (status === 201) return body.id;
  expect(status).toBe(503);
  return null;
}

/** Asserts that the clients of the race have one event and one audit event each, and that the seeded ones are there. */
export async function expectWhole({ db, tenantId }: Sandbox): Promise<readonly string[]> {
  const clients = await idsOf('clients', 'id', "name = 'Raced'");
  expect(await idsOf('events', 'object_id', "type = 'client.created'")).toEqual(clients);
  expect(await idsOf('audit_events', 'target_id', "action = 'client.created'")).toEqual(clients);
  expect(await idsOf('clients', 'id', "name <> 'Raced'")).toHaveLength(2);
  return clients;

  async function idsOf(table: string, column: string, condition: string): Promise<readonly string[]> {
    const sql = `SELECT ${column} AS id FROM ${table} WHERE tenant_id = :tenantId AND ${condition} ORDER BY ${column}`;
    return (await select<{ id: string }>(db, sql, { tenantId })).map(({ id }) => id);
  }
}
