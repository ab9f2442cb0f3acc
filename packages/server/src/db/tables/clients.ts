import type { ClientStatus } from '@plat/contract';
import type { UniqueIndex } from '../errors.ts';
import { ascii, id, instant, nullable, primaryKey, text, withDefault } from './columns.ts';
import { defineTable, type Row } from './table.ts';

export const CLIENT_SLUG: UniqueIndex = { name: 'clients_slug', columns: ['tenant_id', 'slug'] };
export const CLIENT_DOMAIN: UniqueIndex = {
  name: 'clients_domain_space',
  columns: ['custom_domain', 'domain_space'],
};

/** The columns that a client keeps when it is deleted. */
export const CLIENT_COLUMNS = {
  tenant_id: primaryKey(id()),
  id: primaryKey(id()),
  name: text(200),
  status: ascii<ClientStatus>(16),
  slug: ascii(63),
  custom_domain: nullable(ascii(253)),
  created_at: instant(),
  updated_at: instant(),
};

/** A client. A deleted one moves to `deleted_clients`, which frees its slug and domain. */
export const CLIENTS = defineTable(
  'clients',
  {
    ...CLIENT_COLUMNS,
    /**
     * The namespace of the domain. Production tenants share the empty one; a sandbox has its own, the id of its tenant.
     * Anyone can create a sandbox, so its domains must not block those of other tenants.
     */
    domain_space: withDefault(ascii(30), ''),
  },
  [CLIENT_SLUG, CLIENT_DOMAIN],
  {
    clients_status: ['status'],
  },
);

/** A client as the API shows it, deleted or not. */
export type ClientRow = Row<typeof CLIENT_COLUMNS>;
