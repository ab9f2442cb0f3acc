import { GROUP_OWNER_STATUSES, MEMBERSHIP_POLICIES } from '../objects/group.ts';
import { answer, changes, deleted, described, page, params, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { email, id, name, slug } from './texts.ts';
import { always, integer, oneOf } from './values.ts';

const fields = {
  name: name('Name of the group.', 'Retail North'),
  slug: slug(
    'Short name for URLs: lower-case letters, digits and single hyphens. Unique in the tenant.',
    'retail-north',
  ),
  membership_policy: oneOf(
    'MembershipPolicy',
    MEMBERSHIP_POLICIES,
    'Policy that determines which clients may join on their own. The API can add and remove members under every policy.',
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
  'Fields of the group to create.',
  {
    name: fields.name,
    slug: described(
      fields.slug,
      'Short name for URLs: lower-case letters, digits and single hyphens. Unique among the groups; derived from the name by default.',
    ),
    membership_policy: described(
      fields.membership_policy,
      'Policy that determines which clients may join on their own; `invite_only` by default.',
    ),
  },
  ['name'],
);

export const groupUpdate = changes('GroupUpdateParams', fields);

export const groupMember = answer('GroupMember', 'The membership of a client in a group.', {
  object: always('group_member'),
  group_id: id('group'),
  client_id: id('client'),
  ...times,
});

export const deletedGroupMember = deleted('group_member', 'client');

export const groupMemberList = params(
  'GroupMemberListParams',
  'Paging for the list of group members. Cursors are client ids, because a member has no separate id.',
  page,
);

export const groupMemberAdd = params(
  'GroupMemberAddParams',
  'The client to add to the group.',
  { client_id: id('client', 'Client to add, by its id.') },
  ['client_id'],
);

export const groupOwner = answer('GroupOwner', 'A user who owns a group or is invited to own it.', {
  object: always('group_owner'),
  group_id: id('group'),
  user_id: id('user'),
  email: email('E-mail address of the user.'),
  status: oneOf(
    'GroupOwnerStatus',
    GROUP_OWNER_STATUSES,
    'Status of the owner: `invited` until the user accepts the invitation to the tenant, then `active`.',
  ),
  ...times,
});

export const deletedGroupOwner = deleted('group_owner', 'user');

export const groupOwnerInvite = params(
  'GroupOwnerInviteParams',
  'The person to invite as an owner of the group.',
  {
    email: email(
      'E-mail address of a user of the tenant. A person who is not yet a user is invited to the tenant with the role `viewer`.',
    ),
  },
  ['email'],
);

/** Schema of `data` for each event type of the family. */
export const payloads = {
  'group.created': group,
  'group.updated': group,
  'group.member_added': groupMember,
  'group.member_removed': groupMember,
  'group.owner_invited': groupOwner,
  'group.owner_removed': groupOwner,
  'group.deleted': group,
} as const;

export const operations = {
  'groups.list': {
    query: 'ListParams',
    answer: 'Group',
  },
  'groups.create': {
    body: 'GroupCreateParams',
    answer: 'Group',
    errors: ['SLUG_IN_USE', 'QUOTA_EXCEEDED'],
    details: 'Without a slug, it is derived from the name.',
  },
  'groups.get': {
    answer: 'Group',
    errors: ['GROUP_NOT_FOUND'],
  },
  'groups.update': {
    body: 'GroupUpdateParams',
    answer: 'Group',
    errors: ['GROUP_NOT_FOUND', 'SLUG_IN_USE'],
    details: 'The event is emitted only if a field changed.',
  },
  'groups.delete': {
    answer: 'DeletedGroup',
    errors: ['GROUP_NOT_FOUND'],
    confirmation: {
      action: 'Delete group',
      consequence: 'Its memberships, owners and locations are permanently deleted too.',
    },
  },
  'groups.members.list': {
    query: 'GroupMemberListParams',
    answer: 'GroupMember',
    errors: ['GROUP_NOT_FOUND'],
    details: 'Cursors are client ids, because a member has no separate id.',
  },
  'groups.members.add': {
    body: 'GroupMemberAddParams',
    answer: 'GroupMember',
    errors: ['GROUP_NOT_FOUND', 'CLIENT_NOT_FOUND', 'ALREADY_MEMBER', 'QUOTA_EXCEEDED'],
    details: 'The policy `membership_policy` does not limit this operation.',
  },
  'groups.members.get': {
    answer: 'GroupMember',
    errors: ['GROUP_NOT_FOUND', 'GROUP_MEMBER_NOT_FOUND'],
  },
  'groups.members.remove': {
    answer: 'DeletedGroupMember',
    errors: ['GROUP_NOT_FOUND', 'GROUP_MEMBER_NOT_FOUND'],
    details: 'The `id` of the response is that of the client.',
    confirmation: { action: 'Remove from group', consequence: 'The client itself stays.' },
  },
  'groups.owners.list': {
    query: 'ListParams',
    answer: 'GroupOwner',
    errors: ['GROUP_NOT_FOUND'],
    details: 'Cursors are user ids, because an owner has no separate id.',
  },
  'groups.owners.invite': {
    body: 'GroupOwnerInviteParams',
    answer: 'GroupOwner',
    errors: ['GROUP_NOT_FOUND', 'ALREADY_OWNER', 'UNPROCESSABLE', 'QUOTA_EXCEEDED', 'MAIL_LIMIT_REACHED'],
    details:
      'A person who is not a user of the tenant is also invited as a user with the role `viewer`. A suspended user cannot own a group: `UNPROCESSABLE`.',
  },
  'groups.owners.get': {
    answer: 'GroupOwner',
    errors: ['GROUP_NOT_FOUND', 'GROUP_OWNER_NOT_FOUND'],
  },
  'groups.owners.remove': {
    answer: 'DeletedGroupOwner',
    errors: ['GROUP_NOT_FOUND', 'GROUP_OWNER_NOT_FOUND'],
    details: 'The user is not deleted. The `id` of the response is that of the user.',
    confirmation: { action: 'Remove owner of group', consequence: 'The user keeps access to the tenant.' },
  },
} as const satisfies Operations;
