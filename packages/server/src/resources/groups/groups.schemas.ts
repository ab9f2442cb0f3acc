import {
  GROUP_OWNER_STATUSES,
  type Group,
  type GroupCreateParams,
  type GroupMember,
  type GroupMemberAddParams,
  type GroupOwner,
  type GroupOwnerInviteParams,
  type GroupUpdateParams,
  type ListParams,
  MEMBERSHIP_POLICIES,
} from '@plat/contract';
import {
  deleted,
  describe,
  email,
  id,
  integer,
  listFields,
  name,
  object,
  oneOf,
  optional,
  slug,
  timestamp,
} from '../../http/rules.ts';

const fields = {
  name: describe(name(), 'What people call the group.', 'Retail North'),
  slug: describe(slug(), 'Lower-case letters, digits and single hyphens; unique in the tenant.', 'retail-north'),
  membership_policy: describe(
    oneOf(MEMBERSHIP_POLICIES),
    'Who may join by themselves. The API adds and removes members whatever it says.',
  ),
};

export const group = describe(
  object<Group>('Group', {
    object: oneOf(['group']),
    id: id('group'),
    ...fields,
    member_count: describe(integer({ min: 0, max: 2 ** 31 - 1 }), 'How many clients are in it.', 2),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A group of clients.',
);
export const deletedGroup = deleted('group', 'group');

/** Groups, members and owners have no filters. */
export const pageOnly = object<ListParams>(listFields);

export const groupCreate = describe(
  object<GroupCreateParams>('GroupCreate', {
    name: fields.name,
    slug: optional(describe(slug(), 'Made from the name, and made unique, when absent.', 'retail-north')),
    membership_policy: optional(
      describe(oneOf(MEMBERSHIP_POLICIES), 'Who may join by themselves; `invite_only` when absent.'),
    ),
  }),
  'A group to create.',
);

export const groupUpdate = describe(
  object<GroupUpdateParams>('GroupUpdate', {
    name: optional(fields.name),
    slug: optional(fields.slug),
    membership_policy: optional(fields.membership_policy),
  }),
  'The fields to change; those that are absent stay as they are.',
);

export const groupMember = describe(
  object<GroupMember>('GroupMember', {
    object: oneOf(['group_member']),
    group_id: id('group'),
    client_id: id('client'),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A client in a group.',
);
export const deletedMember = deleted('group_member', 'client');

export const memberAdd = describe(
  object<GroupMemberAddParams>('GroupMemberAdd', { client_id: id('client') }),
  'A client to add to the group.',
);

export const groupOwner = describe(
  object<GroupOwner>('GroupOwner', {
    object: oneOf(['group_owner']),
    group_id: id('group'),
    user_id: id('user'),
    email: describe(email(), 'The address of the user.'),
    status: describe(
      oneOf(GROUP_OWNER_STATUSES),
      '`invited` until the user has accepted the invitation to the tenant.',
    ),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A user who owns a group, or was invited to.',
);
export const deletedOwner = deleted('group_owner', 'user');

export const ownerInvite = describe(
  object<GroupOwnerInviteParams>('GroupOwnerInvite', {
    email: describe(
      email(),
      'Of a user of the tenant; of anybody else, who is then invited as a user with the role `viewer`.',
    ),
  }),
  'Somebody to invite to own the group.',
);
