import { createHash } from 'node:crypto';
import { newId } from '../lib/ids.ts';
import { SQL } from './sql.ts';

export interface KeyRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly scopes: string;
}

export interface ClientRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly slug: string;
  readonly custom_domain: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Returns the hash that finds the credential of a request. */
export function keyHash(authorization: string | undefined): Buffer {
  return createHash('sha256')
    .update((authorization ?? '').slice('Bearer '.length))
    .digest();
}

/** Returns rows as the list of the API's response. */
export function presentList(rows: ClientRow[]): object {
  const hasMore = rows.length > 20;
  return { object: 'list', data: rows.slice(0, 20).map(present), has_more: hasMore, url: '/v1/clients' };
}

/**
 * Returns the statements that create a client: the row, its event after the last one, the deliveries, the audit row.
 */
export function newClient(key: KeyRow, body: { readonly name: string; readonly slug: string }) {
  const at = Date.now();
  const { tenant_id: tenant } = key;
  const row: ClientRow = {
    id: newId('cli', at),
    name: body.name,
    status: 'active',
    slug: body.slug,
    custom_domain: null,
    created_at: at,
    updated_at: at,
  };
  const client = present(row);
  const eventId = newId('evt', at);
  const type = 'client.created';
  const event = { id: eventId, object: 'event', type, created: client.created_at, tenant_id: tenant, data: client };
  const deliveryStart = `del_${eventId.slice(4, 14)}${eventId.slice(22)}`;
  const statements: readonly (readonly [sql: string, values: (string | number | null)[]])[] = [
    [SQL.insertClient, [tenant, row.id, row.name, row.status, row.slug, null, at, at]],
    [SQL.lastEvent, [tenant]],
    [SQL.insertEvent, [tenant, eventId, type, at, JSON.stringify(event)]],
    [SQL.scheduleDeliveries, [tenant, deliveryStart, eventId, type, at, at, at, tenant, type]],
    [SQL.insertAudit, [tenant, newId('aud', at), key.id, row.id, newId('req', at), at]],
  ];
  return { client, statements };
}

function present(row: ClientRow) {
  return {
    object: 'client',
    id: row.id,
    name: row.name,
    status: row.status,
    slug: row.slug,
    custom_domain: row.custom_domain,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
