import { GROUP_OWNER_STATUSES, MEMBERSHIP_POLICIES } from '../objects/group.ts';
import { answer, changes, deleted, described, page, params, times } from './objects.ts';
import { email, id, name, slug } from './texts.ts';
import { always, integer, oneOf } from './values.ts';

const fields = {
  name: name('Name of the group.', 'Retail North'),
  slug: slug('Lower-case letters, digits and single hyphens; unique in the tenant.', 'retail-north'),
  membership_policy: oneOf(
    'MembershipPolicy',
    MEMBERSHIP_POLICIES,
    'Who may join by themselves. The API adds and removes members under every policy.',
  ),
};

export const group = answer('Group', 'A group of clients.', {
  object: always('group'),
  id: id('group'),
  ...fields,
  member_count: integer(0, 2 ** 31 - 1, 'Number of clients in the group.', 2),
  ...times,
});

export const deletedGroup = deleted('group', 'group');

export const groupCreate = params(
  'GroupCreateParams',
  'A group to create.',
  {
    name: fields.name,
    slug: described(fields.slug, 'Short name, unique among the groups; derived from the name when absent.'),
    membership_policy: described(fields.membership_policy, 'Who may join by themselves; `invite_only` when absent.'),
  },
  ['name'],
);

export const groupUpdate = changes('GroupUpdateParams', fields);

export const groupMember = answer('GroupMember', 'A client in a group.', {
  object: always('group_member'),
  group_id: id('group'),
  client_id: id('client'),
  ...times,
});

export const deletedGroupMember = deleted('group_member', 'client');

export const groupMemberList = params(
  'GroupMemberListParams',
  'Which members to list. Cursors are client ids: a member has no id of its own.',
  page,
);

export const groupMemberAdd = params(
  'GroupMemberAddParams',
  'A client to add to the group.',
  { client_id: id('client') },
  ['client_id'],
);

export const groupOwner = answer('GroupOwner', 'A user who owns a group, or was invited to.', {
  object: always('group_owner'),
  group_id: id('group'),
  user_id: id('user'),
  email: email('The address of the user.'),
  status: oneOf(
    'GroupOwnerStatus',
    GROUP_OWNER_STATUSES,
    '`invited` until the user has accepted the invitation to the tenant.',
  ),
  ...times,
});

export const deletedGroupOwner = deleted('group_owner', 'user');

export const groupOwnerInvite = params(
  'GroupOwnerInviteParams',
  'A person to invite to own the group.',
  { email: email('Address of a user of the tenant. Any other person is invited as a user with the role `viewer`.') },
  ['email'],
);
