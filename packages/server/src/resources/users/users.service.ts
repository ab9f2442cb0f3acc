import type { Deleted, User, UserCreateParams, UserListParams, UserUpdateParams } from '@plat/contract';
import { Op } from 'sequelize';
import { endSessionsOf } from '../../accounts/end-sessions.ts';
import { endOwnerships } from '../../accounts/group-owners.ts';
import { inviteUser, presentUser, resendInvitationTo, USER_VIEW, type UserView } from '../../accounts/users.ts';
import type { Context, WriteContext } from '../../context.ts';
import { changedFields } from '../../db/changes.ts';
import { findById } from '../../db/find.ts';
import { presentPage, selectPage } from '../../db/page.ts';
import { lockReferences, lockTenant } from '../../db/row-lock.ts';
import { USERS, type UserRow } from '../../db/tables/users.ts';
import type { Page } from '../../http/route.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { emailHash } from '../../kernel/mail-address.ts';
import { checkClientAndLocation, checkRole } from './references.ts';

export async function listUsers(ctx: Context, params: UserListParams): Promise<Page<User>> {
  const page = await selectPage(ctx.db, {
    table: USERS,
    columns: USER_VIEW,
    kind: 'user',
    tenantId: ctx.tenantId,
    params,
    filters: {
      status: params.status,
      role: params.role,
      client_id: params.client_id,
      email_hash: params.email === undefined ? undefined : emailHash(params.email),
    },
  });
  return presentPage(page, presentUser);
}

export async function getUser(ctx: Context, userId: string): Promise<User> {
  return presentUser(await findUser(ctx, userId));
}

export async function createUser(ctx: WriteContext, input: UserCreateParams): Promise<User> {
  const { email, role, name = null, client_id: clientId = null, location_id: locationId = null } = input;
  protectOwners(ctx, role);
  if (clientId !== null || locationId !== null) await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  await checkRole(ctx, role);
  await checkClientAndLocation(ctx, clientId, locationId);
  return presentUser(await inviteUser(ctx, { email, role, name, clientId, locationId }));
}

/**
 * Updates a user. A new role emits an event (specification, Event types); other changes appear in the audit trail only.
 */
export async function updateUser(ctx: WriteContext, userId: string, input: UserUpdateParams): Promise<User> {
  // Locks the tenant's row before the user's, like every change. A change that demotes an owner must read the current
  // other owners.
  if (input.role !== undefined) await lockTenant(ctx.db, ctx.tenantId, ctx.transaction);
  else if (input.client_id || input.location_id) await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  const before = await findUser(ctx, userId);
  protectOwners(ctx, before.role, input.role);
  const after: UserView = {
    ...before,
    name: input.name === undefined ? before.name : input.name,
    role: input.role ?? before.role,
    client_id: input.client_id === undefined ? before.client_id : input.client_id,
    location_id: input.location_id === undefined ? before.location_id : input.location_id,
    updated_at: laterThan(before.updated_at, ctx.now),
  };
  const changes = changedFields(presentUser(before), presentUser(after));
  if (Object.keys(changes).length === 0) return presentUser(before);
  if (after.role !== before.role) await checkRole(ctx, after.role);
  if (after.client_id !== before.client_id || after.location_id !== before.location_id) {
    await checkClientAndLocation(ctx, after.client_id, after.location_id);
  }
  if (after.role !== 'owner') await requireOtherOwner(ctx, before);
  await storeUser(ctx, after);
  if (after.role !== before.role) await emitRoleChange(ctx, before, after);
  await ctx.audit({ action: 'user.updated', target: targetOf(after), changes, at: after.updated_at });
  return presentUser(after);
}

/** Sends the invitation again. */
export async function resendInvitation(ctx: WriteContext, userId: string): Promise<User> {
  const before = await findUser(ctx, userId);
  protectOwners(ctx, before.role);
  if (before.status !== 'invited') {
    throw new ApiError('USER_NOT_INVITED', `The user is ${before.status}; there is no invitation to send again`);
  }
  return presentUser(await resendInvitationTo(ctx, before));
}

/** Deactivates a user permanently. The record is kept for audit. The user's ownerships end. */
export async function deactivateUser(ctx: WriteContext, userId: string): Promise<User> {
  await lockTenant(ctx.db, ctx.tenantId, ctx.transaction);
  const before = await findUser(ctx, userId);
  protectOwners(ctx, before.role);
  if (before.status === 'suspended') return presentUser(before);
  if (before.status === 'invited') {
    throw new ApiError('UNPROCESSABLE', 'The user has not accepted the invitation yet; withdraw it with DELETE');
  }
  await requireOtherOwner(ctx, before);
  const at = laterThan(before.updated_at, ctx.now);
  const after: UserView = { ...before, status: 'suspended', deactivated_at: at, updated_at: at };
  await storeUser(ctx, after);
  const user = presentUser(after);
  await ctx.emit('user.deactivated', user, at);
  const changes = changedFields(presentUser(before), user);
  await ctx.audit({ action: 'user.deactivated', target: targetOf(after), changes, at });
  await endOwnerships(ctx, before, at);
  await endSessionsOf(ctx, userId);
  return user;
}

/** Withdraws an invitation, which frees the address. */
export async function deleteUser(ctx: WriteContext, userId: string): Promise<Deleted<'user'>> {
  await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  const before = await findUser(ctx, userId);
  protectOwners(ctx, before.role);
  if (before.status !== 'invited') {
    throw new ApiError('USER_NOT_DELETABLE', `The user is ${before.status}, and the record is kept for audit`);
  }
  await ctx.db.models.user.destroy({ where: { tenant_id: ctx.tenantId, id: userId }, transaction: ctx.transaction });
  const at = laterThan(before.updated_at, ctx.now);
  await ctx.audit({ action: 'user.deleted', target: targetOf(before), at });
  await endOwnerships(ctx, before, at);
  return { object: 'user', id: userId, deleted: true };
}

async function storeUser({ db, transaction }: WriteContext, row: UserView): Promise<void> {
  const { tenant_id, id, ...columns } = row;
  await db.models.user.update(columns, { where: { tenant_id, id }, transaction });
}

/** @throws {@link ApiError} USER_NOT_FOUND */
function findUser(ctx: Context, id: string): Promise<UserRow> {
  return findById(ctx, { table: USERS, kind: 'user', id, missing: 'USER_NOT_FOUND' });
}

/**
 * Refuses an OAuth token that would create or change an owner. Owners give and revoke the consents of apps, so an app
 * that invited its own owner would outlive its grant.
 * @throws {@link ApiError} OAUTH_CANNOT_MANAGE_OWNERS
 */
function protectOwners({ credential }: WriteContext, ...roles: readonly (string | undefined)[]): void {
  if (credential.actor.type !== 'oauth_app' || !roles.includes('owner')) return;
  throw new ApiError('OAUTH_CANNOT_MANAGE_OWNERS', 'An OAuth token cannot create, invite or change owners');
}

/**
 * Refuses a change that would leave the tenant without an active owner. Runs under the lock of the tenant's row, so
 * that two concurrent changes cannot each rely on the other owner.
 * @throws {@link ApiError} LAST_OWNER_PROTECTED
 */
async function requireOtherOwner(ctx: WriteContext, user: UserRow): Promise<void> {
  if (user.role !== 'owner' || user.status !== 'active') return;
  const other = await ctx.db.models.user.findOne({
    where: { tenant_id: user.tenant_id, role: 'owner', status: 'active', id: { [Op.ne]: user.id } },
    transaction: ctx.transaction,
    raw: true,
  });
  if (!other) {
    throw new ApiError('LAST_OWNER_PROTECTED', 'The user is the last active owner; make another user an owner first');
  }
}

async function emitRoleChange(ctx: WriteContext, before: UserView, after: UserView): Promise<void> {
  const { id, email, updated_at: changed_at } = presentUser(after);
  await ctx.emit(
    'user.role_changed',
    {
      object: 'user',
      id,
      email,
      previous_role: before.role,
      new_role: after.role,
      changed_by: ctx.credential.userId,
      changed_at,
    },
    after.updated_at,
  );
}

function targetOf({ id }: UserView): { type: string; id: string } {
  return { type: 'user', id };
}
