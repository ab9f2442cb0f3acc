import { isId, type Location } from '@plat/contract';
import type { LocationRow } from '../../db/tables/locations.ts';
import { isoTime } from '../../kernel/clock.ts';

/** Converts a row to the location of the API. */
export function presentLocation(row: LocationRow): Location {
  return {
    object: 'location',
    id: row.id,
    client_id: isId('client', row.owner_id) ? row.owner_id : null,
    group_id: isId('group', row.owner_id) ? row.owner_id : null,
    name: row.name,
    address: row.address,
    timezone: row.timezone,
    country: row.country,
    default: row.default_of !== null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
