import type { UniqueIndex } from '../errors.ts';
import { ascii, id, instant, integer, longText, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

export const ROLE_NAME: UniqueIndex = { name: 'roles_name', columns: ['tenant_id', 'name'] };

/** A role of a tenant; the built-in ones are created with the tenant. */
export const ROLES = defineTable(
  'roles',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    name: ascii(63),
    title: text(200),
    description: nullable(text(500)),
    built_in: integer<0 | 1>(),
    /** JSON array of capability ids. */
    capabilities: longText(),
    created_at: instant(),
    updated_at: instant(),
  },
  [ROLE_NAME],
);
export type RoleRow = RowOf<typeof ROLES>;
