import { USER_STATUSES } from '../objects/user.ts';
import { answer, changes, deleted, described, nullable, page, params, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { email, id, name, roleName, time } from './texts.ts';
import { always, oneOf } from './values.ts';

const address = email(
  'E-mail address of the user, which receives the invitation. Unique in the tenant, ignoring case.',
);
const role = roleName('Role of the user: `owner`, `member`, `viewer`, `client_admin` or a custom role.');
const status = oneOf(
  'UserStatus',
  USER_STATUSES,
  'Status of the user: `invited` until the invitation is accepted, then `active`; permanently `suspended` after a deactivation.',
  'active',
);
const fields = {
  name: nullable(name('Name of the user.', 'Ada Lovelace')),
  role,
  client_id: nullable(id('client', 'Client that the user belongs to, by its id; null if there is none.')),
  location_id: nullable(id('location', 'Location of that client or of a group, by its id; null if there is none.')),
};

export const user = answer('User', 'A user of the tenant.', {
  object: always('user'),
  id: id('user'),
  email: address,
  name: fields.name,
  role,
  status,
  client_id: fields.client_id,
  location_id: fields.location_id,
  activated_at: nullable(time('Time at which the invitation was accepted; null before.')),
  deactivated_at: nullable(time('Time at which the user was deactivated; null before.'), null),
  ...times,
});

export const userRoleChange = answer(
  'UserRoleChange',
  'A change of the role of a user: the `data` of the event `user.role_changed`.',
  {
    object: always('user'),
    id: id('user'),
    email: address,
    previous_role: roleName('Role before the change.'),
    new_role: roleName('Role after the change.', 'owner'),
    changed_by: id(
      'user',
      'Id of the user who changed the role. For an API key or an app: the user who created the key or gave the consent.',
    ),
    changed_at: time('Time of the change.'),
  },
);

export const deletedUser = deleted('user', 'user');

export const userList = params('UserListParams', 'Filters and paging for the list of users.', {
  ...page,
  status: oneOf('UserStatus', USER_STATUSES, 'Only users of this status.'),
  role: described(role, 'Only users with this role.'),
  client_id: id('client', 'Only users of this client.'),
  email: described(address, 'Only the user with this e-mail address, ignoring case.'),
});

export const userCreate = params(
  'UserCreateParams',
  'Fields of the user to create and invite.',
  { email: address, role, name: fields.name, client_id: fields.client_id, location_id: fields.location_id },
  ['email', 'role'],
);

export const userUpdate = changes('UserUpdateParams', fields);

/** Schema of `data` for each event type of the family. */
export const payloads = {
  'user.invited': user,
  'user.activated': user,
  'user.deactivated': user,
  'user.role_changed': userRoleChange,
} as const;

export const operations = {
  'users.list': {
    query: 'UserListParams',
    answer: 'User',
  },
  'users.create': {
    body: 'UserCreateParams',
    answer: 'User',
    errors: [
      'ROLE_NOT_FOUND',
      'CLIENT_NOT_FOUND',
      'LOCATION_NOT_FOUND',
      'UNPROCESSABLE',
      'EMAIL_IN_USE',
      'OAUTH_CANNOT_MANAGE_OWNERS',
      'QUOTA_EXCEEDED',
      'MAIL_LIMIT_REACHED',
    ],
    details: 'A location must belong to the client of the user: `UNPROCESSABLE`.',
  },
  'users.get': {
    answer: 'User',
    errors: ['USER_NOT_FOUND'],
  },
  'users.update': {
    body: 'UserUpdateParams',
    answer: 'User',
    errors: [
      'USER_NOT_FOUND',
      'ROLE_NOT_FOUND',
      'CLIENT_NOT_FOUND',
      'LOCATION_NOT_FOUND',
      'UNPROCESSABLE',
      'LAST_OWNER_PROTECTED',
      'OAUTH_CANNOT_MANAGE_OWNERS',
    ],
    details:
      'Null clears name, client or location. A location must belong to the client of the user: `UNPROCESSABLE`. The event is emitted only if the role changed.',
  },
  'users.invite': {
    answer: 'User',
    errors: ['USER_NOT_FOUND', 'USER_NOT_INVITED', 'OAUTH_CANNOT_MANAGE_OWNERS', 'MAIL_LIMIT_REACHED'],
  },
  'users.deactivate': {
    answer: 'User',
    errors: ['USER_NOT_FOUND', 'UNPROCESSABLE', 'LAST_OWNER_PROTECTED', 'OAUTH_CANNOT_MANAGE_OWNERS'],
    details:
      'The user no longer owns groups: an event is emitted for each. A user who has not accepted the invitation is deleted instead: `UNPROCESSABLE`.',
    confirmation: {
      action: 'Deactivate user',
      consequence: 'They lose access at once, and cannot be activated again.',
    },
  },
  'users.delete': {
    answer: 'DeletedUser',
    errors: ['USER_NOT_FOUND', 'USER_NOT_DELETABLE', 'OAUTH_CANNOT_MANAGE_OWNERS'],
    details: 'An event is emitted for each group that the user was invited to own.',
    confirmation: { action: 'Withdraw invitation of user', consequence: 'The link in the mail stops working at once.' },
  },
} as const satisfies Operations;
