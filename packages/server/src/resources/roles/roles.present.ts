import type { Role } from '@plat/contract';
import type { RoleRow } from '../../db/models/role.model.ts';
import { isoTime } from '../../kernel/clock.ts';

/** A row as the API shows it. `catalog`: every capability there is; a built-in role sees it as it stands. */
export function presentRole(row: RoleRow, catalog: readonly string[] = []): Role {
  return {
    object: 'role',
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    built_in: row.built_in === 1,
    capabilities: row.built_in === 1 ? builtIn(row.name, catalog) : (JSON.parse(row.capabilities) as string[]),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** A viewer sees what only reads; the other built-in roles see all. */
function builtIn(name: string, catalog: readonly string[]): readonly string[] {
  return name === 'viewer' ? catalog.filter((id) => id.endsWith(':read')) : catalog;
}
