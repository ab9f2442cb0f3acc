import { LIMITS, type ListParams, type Role, type RoleCreateParams, type RoleUpdateParams } from '@plat/contract';
import {
  array,
  boolean,
  capability,
  describe,
  id,
  listFields,
  name,
  nullable,
  object,
  oneOf,
  optional,
  roleName,
  text,
  timestamp,
} from '../../http/rules.ts';

const fields = {
  name: describe(roleName(), 'Unique in the tenant; what a user’s `role` holds. It never changes.', 'shop_manager'),
  title: describe(name(), 'The name for people.', 'Shop manager'),
  description: describe(
    nullable(text(LIMITS.description.max)),
    'What the role is for.',
    'Runs a shop from day to day.',
  ),
  capabilities: describe(
    array(capability(), LIMITS.capabilities),
    'The capabilities of the module catalog that users in this role can see.',
    ['orders:read', 'orders:manage'],
  ),
};

export const role = describe(
  object<Role>('Role', {
    object: oneOf(['role']),
    id: id('role'),
    name: fields.name,
    title: fields.title,
    description: fields.description,
    built_in: describe(boolean(), 'Whether every tenant has it; such a role cannot be changed.'),
    // Of a built-in role as many as the catalog has.
    capabilities: describe(array(capability()), 'Sorted; what users in this role can see.', [
      'orders:manage',
      'orders:read',
    ]),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'What a user is in the tenant, and which capabilities that shows.',
);

export const roleList = object<ListParams>({ ...listFields });

export const roleCreate = describe(
  object<RoleCreateParams>('RoleCreate', {
    name: fields.name,
    title: fields.title,
    description: optional(fields.description),
    capabilities: optional(fields.capabilities),
  }),
  'A role to create.',
);

export const roleUpdate = describe(
  object<RoleUpdateParams>('RoleUpdate', {
    title: optional(fields.title),
    description: optional(fields.description),
    capabilities: optional(fields.capabilities),
  }),
  'The fields to change; those that are absent stay as they are.',
);
