import { USER_STATUSES } from '@plat/contract';
import { nullable, oneOf, required, text } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';

const role = text('owner, member, viewer, client_admin or a role of your own', 'name');
const name = nullable(text('name of the person', 'name'));
const client_id = nullable(text('client that the user belongs to', 'id'));
const location_id = nullable(text('location of that client, or of a group', 'id'));

export const USER_FIELDS: FamilyFields<'users'> = {
  'users.list': {
    status: oneOf(USER_STATUSES, 'only users in this status'),
    role: text('only users in this role', 'name'),
    client_id: text('only users of this client', 'id'),
    email: text('only the user with this address', 'address'),
  },
  'users.create': {
    email: required(text('address that the invitation goes to, unique in the tenant', 'address')),
    role: required(role),
    name,
    client_id,
    location_id,
  },
  'users.update': { name, role, client_id, location_id },
};
