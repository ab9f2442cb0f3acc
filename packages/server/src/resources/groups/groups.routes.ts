import { type Route, route } from '../../http/route.ts';
import { addMember, getMember, listMembers, removeMember } from './group-members.service.ts';
import { getOwner, inviteOwner, listOwners, removeOwner } from './group-owners.service.ts';
import { createGroup, deleteGroup, getGroup, listGroups, updateGroup } from './groups.service.ts';

export const groupRoutes: readonly Route[] = [
  route('groups.list', { handle: (ctx, { query }) => listGroups(ctx, query) }),
  route('groups.create', {
    handle: (ctx, { body }) => createGroup(ctx, body),
  }),
  route('groups.get', {
    handle: (ctx, { path }) => getGroup(ctx, path.group_id),
  }),
  route('groups.update', {
    handle: (ctx, { path, body }) => updateGroup(ctx, path.group_id, body),
  }),
  route('groups.delete', {
    handle: (ctx, { path }) => deleteGroup(ctx, path.group_id),
  }),

  route('groups.members.list', {
    handle: (ctx, { path, query }) => listMembers(ctx, path.group_id, query),
  }),
  route('groups.members.add', {
    handle: (ctx, { path, body }) => addMember(ctx, path.group_id, body),
  }),
  route('groups.members.get', {
    handle: (ctx, { path }) => getMember(ctx, path.group_id, path.client_id),
  }),
  route('groups.members.remove', {
    handle: (ctx, { path }) => removeMember(ctx, path.group_id, path.client_id),
  }),

  route('groups.owners.list', {
    handle: (ctx, { path, query }) => listOwners(ctx, path.group_id, query),
  }),
  route('groups.owners.invite', {
    handle: (ctx, { path, body }) => inviteOwner(ctx, path.group_id, body),
  }),
  route('groups.owners.get', {
    handle: (ctx, { path }) => getOwner(ctx, path.group_id, path.user_id),
  }),
  route('groups.owners.remove', {
    handle: (ctx, { path }) => removeOwner(ctx, path.group_id, path.user_id),
  }),
];
