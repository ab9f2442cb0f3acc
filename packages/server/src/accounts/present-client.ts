import type { Client } from '@plat/contract';
import type { ClientRow } from '../db/tables/clients.ts';
import { isoTime } from '../kernel/clock.ts';

/** Converts a row to the client of the API. */
export function presentClient(row: ClientRow): Client {
  return {
    object: 'client',
    id: row.id,
    name: row.name,
    status: row.status,
    slug: row.slug,
    custom_domain: row.custom_domain,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
