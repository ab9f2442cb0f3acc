import type { Group, GroupMember, GroupOwner } from '@plat/contract';
import { type Answers, deleted, find, laterThan, page, pageById } from '../call.ts';
import { audit, differs, emit } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { refuseTakenSlug, slugFor } from '../slug.ts';
import type { Ownership, World } from '../world.ts';
import { inviteUser } from './users.ts';

export const groups: Answers<
  | 'groups.list'
  | 'groups.create'
  | 'groups.get'
  | 'groups.update'
  | 'groups.delete'
  | 'groups.members.list'
  | 'groups.members.add'
  | 'groups.members.get'
  | 'groups.members.remove'
  | 'groups.owners.list'
  | 'groups.owners.invite'
  | 'groups.owners.get'
  | 'groups.owners.remove'
> = {
  'groups.list': (call) => pageById(call, 'group', call.world.groups.values()),
  'groups.create': (call) => {
    const { world, body, now } = call;
    const at = new Date(now).toISOString();
    const id = world.newId('group');
    const { name } = body;
    const group: Group = {
      object: 'group',
      id,
      name,
      slug: slugFor(world.groups, { id, name, slug: body.slug, fallback: 'group' }),
      membership_policy: body.membership_policy ?? 'invite_only',
      member_count: 0,
      created_at: at,
      updated_at: at,
    };
    world.groups.set(id, group);
    emit(call, 'group.created', group);
    audit(call, 'group.created', group);
    return group;
  },
  'groups.get': ({ world, path }) => groupOf(world, path.group_id),
  'groups.update': (call) => {
    const { world, path, body, now } = call;
    const before = groupOf(world, path.group_id);
    const after: Group = { ...before, ...body, updated_at: laterThan(before.updated_at, now) };
    if (!differs(before, after)) return before;
    refuseTakenSlug(world.groups, after.slug, after.id);
    world.groups.set(after.id, after);
    emit(call, 'group.updated', after);
    audit(call, 'group.updated', after, before);
    return after;
  },
  'groups.delete': (call) => {
    const { world, path, now } = call;
    const group = groupOf(world, path.group_id);
    world.members = world.members.filter(({ group_id }) => group_id !== group.id);
    world.owners = world.owners.filter(({ group_id }) => group_id !== group.id);
    for (const location of world.locations.values()) {
      if (location.group_id === group.id) world.locations.delete(location.id);
    }
    world.groups.delete(group.id);
    emit(call, 'group.deleted', { ...group, updated_at: laterThan(group.updated_at, now) });
    audit(call, 'group.deleted', group);
    return deleted('group', group.id);
  },

  'groups.members.list': (call) => {
    const { id } = groupOf(call.world, call.path.group_id);
    const members = call.world.members.filter(({ group_id }) => group_id === id);
    return page(call, 'client', members, ({ client_id }) => client_id);
  },
  'groups.members.add': (call) => {
    const { world, path, body, now } = call;
    const group = groupOf(world, path.group_id);
    const { id: client_id } = find(world.clients, body.client_id, 'CLIENT_NOT_FOUND');
    if (isMember(world, group.id, client_id)) throw new Refusal('ALREADY_MEMBER');
    const at = laterThan(group.updated_at, now);
    const member: GroupMember = {
      object: 'group_member',
      group_id: group.id,
      client_id,
      created_at: at,
      updated_at: at,
    };
    world.members.push(member);
    world.groups.set(group.id, { ...group, member_count: group.member_count + 1, updated_at: at });
    emit(call, 'group.member_added', member);
    audit(call, 'group.member_added', { ...group, client_id }, { ...group, client_id: null });
    return member;
  },
  'groups.members.get': ({ world, path }) => memberOf(world, path.group_id, path.client_id),
  'groups.members.remove': (call) => {
    const { world, path, now } = call;
    const group = groupOf(world, path.group_id);
    const member = memberOf(world, path.group_id, path.client_id);
    world.members = world.members.filter((other) => other !== member);
    const updated_at = laterThan(group.updated_at, now);
    world.groups.set(group.id, { ...group, member_count: group.member_count - 1, updated_at });
    emit(call, 'group.member_removed', member);
    audit(call, 'group.member_removed', { ...group, client_id: null }, { ...group, client_id: member.client_id });
    return deleted('group_member', member.client_id);
  },

  'groups.owners.list': (call) => {
    const { world, path } = call;
    const { id } = groupOf(world, path.group_id);
    const owners = world.owners.filter(({ group_id }) => group_id === id).map((owner) => presentOwner(world, owner));
    return page(call, 'user', owners, ({ user_id }) => user_id);
  },
  'groups.owners.invite': (call) => {
    const { world, path, body, now } = call;
    const group = groupOf(world, path.group_id);
    const email = body.email.toLowerCase();
    const known = [...world.users.values()].find((user) => user.email.toLowerCase() === email);
    const user = known ?? inviteUser(call, { email: body.email, role: 'viewer' });
    if (user.status === 'suspended') throw new Refusal('UNPROCESSABLE');
    if (world.owners.some(({ group_id, user_id }) => group_id === group.id && user_id === user.id)) {
      throw new Refusal('ALREADY_OWNER');
    }
    const at = laterThan(user.updated_at, now);
    const row: Ownership = { group_id: group.id, user_id: user.id, created_at: at, updated_at: at };
    world.owners.push(row);
    const owner = presentOwner(world, row);
    emit(call, 'group.owner_invited', owner);
    audit(call, 'group.owner_invited', { ...group, user_id: user.id }, { ...group, user_id: null });
    return owner;
  },
  'groups.owners.get': ({ world, path }) => presentOwner(world, ownerOf(world, path.group_id, path.user_id)),
  'groups.owners.remove': (call) => {
    const { world, path } = call;
    const group = groupOf(world, path.group_id);
    const row = ownerOf(world, path.group_id, path.user_id);
    world.owners = world.owners.filter((other) => other !== row);
    emit(call, 'group.owner_removed', presentOwner(world, row));
    audit(call, 'group.owner_removed', { ...group, user_id: null }, { ...group, user_id: row.user_id });
    return deleted('group_owner', row.user_id);
  },
};

function groupOf(world: World, id: string): Group {
  return find(world.groups, id, 'GROUP_NOT_FOUND');
}

function isMember({ members }: World, groupId: string, clientId: string): boolean {
  return members.some(({ group_id, client_id }) => group_id === groupId && client_id === clientId);
}

function memberOf(world: World, groupId: string, clientId: string): GroupMember {
  const { id } = groupOf(world, groupId);
  const member = world.members.find(({ group_id, client_id }) => group_id === id && client_id === clientId);
  if (!member) throw new Refusal('GROUP_MEMBER_NOT_FOUND');
  return member;
}

function ownerOf(world: World, groupId: string, userId: string): Ownership {
  const { id } = groupOf(world, groupId);
  const owner = world.owners.find(({ group_id, user_id }) => group_id === id && user_id === userId);
  if (!owner) throw new Refusal('GROUP_OWNER_NOT_FOUND');
  return owner;
}

function presentOwner(world: World, { group_id, user_id, created_at, updated_at }: Ownership): GroupOwner {
  const { email, status } = find(world.users, user_id, 'USER_NOT_FOUND');
  const shown = status === 'invited' ? 'invited' : 'active';
  return { object: 'group_owner', group_id, user_id, email, status: shown, created_at, updated_at };
}
