import { LIMITS } from '../limits.ts';
import { answer, changes, nullable, params, times } from './objects.ts';
import { capability, id, name, roleName, text } from './texts.ts';
import { always, array, boolean } from './values.ts';

const roleKey = roleName(
  "Key of the role: the value of a user's `role`. Unique in the tenant; it never changes.",
  'shop_manager',
);
const fields = {
  title: name('Display name of the role.', 'Shop manager'),
  description: nullable(text(LIMITS.description.max, 'The purpose of the role.', 'Runs a shop from day to day.')),
  capabilities: array(
    capability('Id of a capability.'),
    'The capabilities of the module catalog that users in this role can see.',
    { max: LIMITS.capabilities.max, example: ['orders:read', 'orders:manage'] },
  ),
};

export const role = answer('Role', 'The role of a user in the tenant, and the capabilities that it shows.', {
  object: always('role'),
  id: id('role'),
  name: roleKey,
  title: fields.title,
  description: fields.description,
  built_in: boolean('true for a role that every tenant has; it cannot be changed.'),
  // Without a limit: a built-in role has as many as the catalog.
  capabilities: array(capability('Id of a capability.'), 'Sorted; the capabilities that users in this role can see.', {
    example: ['orders:manage', 'orders:read'],
  }),
  ...times,
});

export const roleCreate = params('RoleCreateParams', 'A role to create.', { name: roleKey, ...fields }, [
  'name',
  'title',
]);

export const roleUpdate = changes('RoleUpdateParams', fields);
