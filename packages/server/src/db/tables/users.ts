import type { UserStatus } from '@plat/contract';
import type { UniqueIndex } from '../errors.ts';
import { ascii, hash, id, instant, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

export const USER_EMAIL: UniqueIndex = { name: 'users_email', columns: ['tenant_id', 'email_hash'] };

/** A user of a tenant. */
export const USERS = defineTable(
  'users',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    email: text(254),
    /** SHA-256 of the canonical address: unique in the tenant, independent of the collation. */
    email_hash: hash(),
    name: nullable(text(200)),
    /** Name of a role. */
    role: ascii(63),
    status: ascii<UserStatus>(16),
    client_id: nullable(id()),
    location_id: nullable(id()),
    activated_at: nullable(instant()),
    deactivated_at: nullable(instant()),
    /** Hash of the token in the last invitation sent, while the user is invited. */
    invitation_hash: nullable(hash()),
    invitation_expires_at: nullable(instant()),
    created_at: instant(),
    updated_at: instant(),
  },
  [USER_EMAIL, { name: 'users_invitation', columns: ['invitation_hash'] }],
  {
    users_client_role: ['client_id', 'role'],
    users_client_status: ['client_id', 'status'],
    users_role_status: ['role', 'status'],
    users_client: ['client_id'],
    users_role: ['role'],
    users_status: ['status'],
  },
);
export type UserRow = RowOf<typeof USERS>;
