import type { Role } from '@plat/contract';
import { visibleCapabilities } from '../../accounts/capabilities.ts';
import type { RoleRow } from '../../db/tables/roles.ts';
import { isoTime } from '../../kernel/clock.ts';

/**
 * Converts a row to the role of the API. `catalog` is the list of all capabilities: a built-in role sees the current
 * catalog.
 */
export function presentRole(row: RoleRow, catalog: readonly string[] = []): Role {
  return {
    object: 'role',
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    built_in: row.built_in === 1,
    capabilities: visibleCapabilities(row, catalog),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
