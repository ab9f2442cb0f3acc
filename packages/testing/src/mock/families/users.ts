import type { User, UserCreateParams } from '@plat/contract';
import { type Answers, type Call, deleted, find, laterThan, matching, pageById } from '../call.ts';
import { type AuditRecorder, audit, differs, emit } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world.ts';

export const users: Answers<
  'users.list' | 'users.create' | 'users.get' | 'users.update' | 'users.invite' | 'users.deactivate' | 'users.delete'
> = {
  'users.list': (call) => {
    const { status, role, client_id, email } = call.query;
    const wanted = email?.toLowerCase();
    const rows = matching(call.world.users, { status, role, client_id }).filter(
      (user) => wanted === undefined || user.email.toLowerCase() === wanted,
    );
    return pageById(call, 'user', rows);
  },
  'users.create': (call) => {
    const { role, client_id = null, location_id = null } = call.body;
    protectOwners(call, role);
    refuseUnknownRole(call.world, role);
    refuseForeignPlace(call.world, client_id, location_id);
    return inviteUser(call, call.body);
  },
  'users.get': ({ world, path }) => userOf(world, path.user_id),
  'users.update': (call) => {
    const { world, path, body, now } = call;
    const before = userOf(world, path.user_id);
    protectOwners(call, before.role, body.role);
    const after: User = { ...before, ...body, updated_at: laterThan(before.updated_at, now) };
    if (!differs(before, after)) return before;
    if (after.role !== before.role) refuseUnknownRole(world, after.role);
    refuseForeignPlace(world, after.client_id, after.location_id);
    if (after.role !== 'owner') keepAnOwner(world, before);
    world.users.set(after.id, after);
    if (after.role !== before.role) {
      emit(call, 'user.role_changed', {
        object: 'user',
        id: after.id,
        email: after.email,
        previous_role: before.role,
        new_role: after.role,
        changed_by: firstOwner(world).id,
        changed_at: after.updated_at,
      });
    }
    audit(call, 'user.updated', after, before);
    return after;
  },
  'users.invite': (call) => {
    const { world, path, now } = call;
    const before = userOf(world, path.user_id);
    protectOwners(call, before.role);
    if (before.status !== 'invited') throw new Refusal('USER_NOT_INVITED');
    const after = { ...before, updated_at: laterThan(before.updated_at, now) };
    world.users.set(after.id, after);
    emit(call, 'user.invited', after);
    audit(call, 'user.invited', after);
    return after;
  },
  'users.deactivate': (call) => {
    const { world, path, now } = call;
    const before = userOf(world, path.user_id);
    protectOwners(call, before.role);
    if (before.status === 'suspended') return before;
    if (before.status === 'invited') throw new Refusal('UNPROCESSABLE');
    keepAnOwner(world, before);
    const at = laterThan(before.updated_at, now);
    const after: User = { ...before, status: 'suspended', deactivated_at: at, updated_at: at };
    world.users.set(after.id, after);
    emit(call, 'user.deactivated', after);
    audit(call, 'user.deactivated', after, before);
    endOwnerships(call, before);
    return after;
  },
  'users.delete': (call) => {
    const { world, path } = call;
    const user = userOf(world, path.user_id);
    protectOwners(call, user.role);
    if (user.status !== 'invited') throw new Refusal('USER_NOT_DELETABLE');
    world.users.delete(user.id);
    audit(call, 'user.deleted', user);
    endOwnerships(call, user);
    return deleted('user', user.id);
  },
};

/** Adds an invited user. @throws {@link Refusal} EMAIL_IN_USE */
export function inviteUser(call: AuditRecorder, input: UserCreateParams): User {
  const { world, now } = call;
  const email = input.email.toLowerCase();
  if ([...world.users.values()].some((other) => other.email.toLowerCase() === email)) throw new Refusal('EMAIL_IN_USE');
  const at = new Date(now).toISOString();
  const user: User = {
    object: 'user',
    id: world.newId('user'),
    email: input.email,
    name: input.name ?? null,
    role: input.role,
    status: 'invited',
    client_id: input.client_id ?? null,
    location_id: input.location_id ?? null,
    activated_at: null,
    deactivated_at: null,
    created_at: at,
    updated_at: at,
  };
  world.users.set(user.id, user);
  emit(call, 'user.invited', user);
  audit(call, 'user.invited', user);
  return user;
}

/** Refuses an OAuth token that would create or change an owner. @throws {@link Refusal} OAUTH_CANNOT_MANAGE_OWNERS */
function protectOwners({ credential }: Pick<Call, 'credential'>, ...roles: readonly (string | undefined)[]): void {
  if (credential.type === 'oauth_token' && roles.includes('owner')) throw new Refusal('OAUTH_CANNOT_MANAGE_OWNERS');
}

function userOf(world: World, id: string): User {
  return find(world.users, id, 'USER_NOT_FOUND');
}

/** Returns an owner of the tenant. The last one cannot be removed. */
export function firstOwner(world: World): User {
  const owner = [...world.users.values()].find(({ role }) => role === 'owner');
  if (!owner) throw new Error('the mock has no owner');
  return owner;
}

function refuseUnknownRole({ roles }: World, name: string): void {
  if (![...roles.values()].some((role) => role.name === name)) throw new Refusal('ROLE_NOT_FOUND');
}

/** Requires that a location belongs to the client, or to a group. */
function refuseForeignPlace(world: World, clientId: string | null, locationId: string | null): void {
  if (clientId !== null) find(world.clients, clientId, 'CLIENT_NOT_FOUND');
  if (locationId === null) return;
  const location = find(world.locations, locationId, 'LOCATION_NOT_FOUND');
  if (location.client_id !== null && location.client_id !== clientId) throw new Refusal('UNPROCESSABLE');
}

function keepAnOwner({ users: all }: World, user: User): void {
  if (user.role !== 'owner' || user.status !== 'active') return;
  const isOther = ({ id, role, status }: User): boolean => id !== user.id && role === 'owner' && status === 'active';
  if (![...all.values()].some(isOther)) throw new Refusal('LAST_OWNER_PROTECTED');
}

function endOwnerships(call: AuditRecorder, { id, email, status }: User): void {
  const { world } = call;
  for (const { group_id, user_id, ...dates } of world.owners.filter((owner) => owner.user_id === id)) {
    const shown = status === 'invited' ? 'invited' : 'active';
    emit(call, 'group.owner_removed', { object: 'group_owner', group_id, user_id, email, status: shown, ...dates });
    const group = find(world.groups, group_id, 'GROUP_NOT_FOUND');
    audit(call, 'group.owner_removed', { ...group, user_id: null }, { ...group, user_id });
  }
  world.owners = world.owners.filter(({ user_id }) => user_id !== id);
}
