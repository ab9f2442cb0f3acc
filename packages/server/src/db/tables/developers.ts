import type { UniqueIndex } from '../errors.ts';
import { hash, id, instant, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

export const DEVELOPER_EMAIL: UniqueIndex = { name: 'developers_email', columns: ['email_hash'] };

/** A developer account with its one sandbox tenant. */
export const DEVELOPERS = defineTable(
  'developers',
  {
    id: primaryKey(id()),
    email: text(254),
    email_hash: hash(),
    tenant_id: id(),
    created_at: instant(),
    updated_at: instant(),
  },
  [DEVELOPER_EMAIL, { name: 'developers_tenant', columns: ['tenant_id'] }],
);
export type DeveloperRow = RowOf<typeof DEVELOPERS>;
