import { type Route, route } from '../../http/route.ts';
import { addMember, getMember, listMembers, removeMember } from './group-members.service.ts';
import { getOwner, inviteOwner, listOwners, removeOwner } from './group-owners.service.ts';
import { createGroup, deleteGroup, getGroup, listGroups, updateGroup } from './groups.service.ts';

export const groupRoutes: readonly Route[] = [
  route('groups.list', { handle: (ctx, { query }) => listGroups(ctx, query) }),
  route('groups.create', {
    errors: ['SLUG_IN_USE', 'QUOTA_EXCEEDED'],
    handle: (ctx, { body }) => createGroup(ctx, body),
  }),
  route('groups.get', {
    errors: ['GROUP_NOT_FOUND'],
    handle: (ctx, { path }) => getGroup(ctx, path.group_id),
  }),
  route('groups.update', {
    errors: ['GROUP_NOT_FOUND', 'SLUG_IN_USE'],
    handle: (ctx, { path, body }) => updateGroup(ctx, path.group_id, body),
  }),
  route('groups.delete', {
    errors: ['GROUP_NOT_FOUND'],
    handle: (ctx, { path }) => deleteGroup(ctx, path.group_id),
  }),

  route('groups.members.list', {
    errors: ['GROUP_NOT_FOUND'],
    handle: (ctx, { path, query }) => listMembers(ctx, path.group_id, query),
  }),
  route('groups.members.add', {
    errors: ['GROUP_NOT_FOUND', 'CLIENT_NOT_FOUND', 'ALREADY_MEMBER', 'QUOTA_EXCEEDED'],
    handle: (ctx, { path, body }) => addMember(ctx, path.group_id, body),
  }),
  route('groups.members.get', {
    errors: ['GROUP_NOT_FOUND', 'GROUP_MEMBER_NOT_FOUND'],
    handle: (ctx, { path }) => getMember(ctx, path.group_id, path.client_id),
  }),
  route('groups.members.remove', {
    errors: ['GROUP_NOT_FOUND', 'GROUP_MEMBER_NOT_FOUND'],
    handle: (ctx, { path }) => removeMember(ctx, path.group_id, path.client_id),
  }),

  route('groups.owners.list', {
    errors: ['GROUP_NOT_FOUND'],
    handle: (ctx, { path, query }) => listOwners(ctx, path.group_id, query),
  }),
  route('groups.owners.invite', {
    errors: ['GROUP_NOT_FOUND', 'ALREADY_OWNER', 'UNPROCESSABLE', 'QUOTA_EXCEEDED', 'MAIL_LIMIT_REACHED'],
    handle: (ctx, { path, body }) => inviteOwner(ctx, path.group_id, body),
  }),
  route('groups.owners.get', {
    errors: ['GROUP_NOT_FOUND', 'GROUP_OWNER_NOT_FOUND'],
    handle: (ctx, { path }) => getOwner(ctx, path.group_id, path.user_id),
  }),
  route('groups.owners.remove', {
    errors: ['GROUP_NOT_FOUND', 'GROUP_OWNER_NOT_FOUND'],
    handle: (ctx, { path }) => removeOwner(ctx, path.group_id, path.user_id),
  }),
];
