import { LIMITS } from '../limits.ts';
import { answer, changes, nullable, params, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { capability, id, name, roleName, text } from './texts.ts';
import { always, array, boolean } from './values.ts';

const roleKey = roleName(
  'Name of the role, as used in the `role` of a user: lower-case letters, digits and single underscores. Unique in the tenant; it cannot be changed.',
  'shop_manager',
);
const fields = {
  title: name('Display name of the role.', 'Shop manager'),
  description: nullable(
    text(LIMITS.description.max, 'Description of the role for people.', 'Runs a shop from day to day.'),
  ),
  capabilities: array(
    capability('Id of a capability.'),
    'Capabilities of the module catalog, by their ids, that are visible to users with this role.',
    { max: LIMITS.capabilities.max, example: ['orders:read', 'orders:manage'] },
  ),
};

export const role = answer(
  'Role',
  'A role that users of the tenant can have, with the capabilities that are visible to them.',
  {
    object: always('role'),
    id: id('role'),
    name: roleKey,
    title: fields.title,
    description: fields.description,
    built_in: boolean('True for a role that every tenant has. Built-in roles cannot be changed.'),
    // No limit: a built-in role has all capabilities of the catalog.
    capabilities: array(
      capability('Id of a capability.'),
      'Sorted ids of the capabilities that are visible to users with this role.',
      {
        example: ['orders:manage', 'orders:read'],
      },
    ),
    ...times,
  },
);

export const roleCreate = params('RoleCreateParams', 'Fields of the role to create.', { name: roleKey, ...fields }, [
  'name',
  'title',
]);

export const roleUpdate = changes('RoleUpdateParams', fields);

export const operations = {
  'roles.list': {
    query: 'ListParams',
    answer: 'Role',
    details: 'Built-in roles are included. Users refer to a role by its `name`.',
  },
  'roles.create': {
    body: 'RoleCreateParams',
    answer: 'Role',
    errors: ['ROLE_NAME_IN_USE', 'QUOTA_EXCEEDED'],
    details: 'Its name cannot be changed.',
  },
  'roles.get': {
    answer: 'Role',
    errors: ['ROLE_NOT_FOUND'],
  },
  'roles.update': {
    body: 'RoleUpdateParams',
    answer: 'Role',
    errors: ['ROLE_NOT_FOUND', 'ROLE_BUILT_IN'],
    details: 'Null clears the description.',
  },
} as const satisfies Operations;
