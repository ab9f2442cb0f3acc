import { type Deleted, type GroupOwner, type GroupOwnerInviteParams, isId, type ListParams } from '@plat/contract';
import { type OwnerView, presentOwner } from '../../accounts/group-owners.ts';
import { findUserByEmail, inviteUser } from '../../accounts/users.ts';
import type { Context, WriteContext } from '../../context.ts';
import { violates } from '../../db/errors.ts';
import { presentPage, selectJoinedPage } from '../../db/page.ts';
import { lockReferences } from '../../db/row-lock.ts';
import { selectOne } from '../../db/sql.ts';
import { columnsExcept } from '../../db/statements.ts';
import { GROUP_OWNERS, type GroupOwnerRow } from '../../db/tables/group-owners.ts';
import { primaryKeyOf } from '../../db/tables/table.ts';
import type { UserRow } from '../../db/tables/users.ts';
import type { Page } from '../../http/route.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { plainName } from '../../mail/plain-name.ts';
import { findGroup } from './groups.service.ts';

const USER = 'FROM users WHERE users.tenant_id = group_owners.tenant_id AND users.id = group_owners.user_id';
/** Subqueries for the columns of the user's row: with a join, the database would choose the order of rows. */
const VIEW = [
  ...columnsExcept(GROUP_OWNERS, ['tenant_id']),
  `(SELECT email ${USER}) AS email`,
  `(SELECT status ${USER}) AS user_status`,
];

export async function listOwners(ctx: Context, groupId: string, params: ListParams): Promise<Page<GroupOwner>> {
  await findGroup(ctx, groupId);
  const page = await selectJoinedPage<OwnerView>(ctx.db, {
    table: GROUP_OWNERS,
    from: GROUP_OWNERS.name,
    columns: VIEW,
    kind: 'user',
    idColumn: 'user_id',
    tenantId: ctx.tenantId,
    params,
    filters: { group_id: groupId },
  });
  return presentPage(page, presentOwner);
}

export async function getOwner(ctx: Context, groupId: string, userId: string): Promise<GroupOwner> {
  await findGroup(ctx, groupId);
  return presentOwner(await findOwner(ctx, groupId, userId));
}

/**
 * Adds an owner. An active user owns the group at once. A user who is invited to the tenant, now or earlier, owns it
 * from acceptance on.
 */
export async function inviteOwner(
  ctx: WriteContext,
  groupId: string,
  { email }: GroupOwnerInviteParams,
): Promise<GroupOwner> {
  await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  const group = await findGroup(ctx, groupId);
  const known = await findUserByEmail(ctx.db, ctx.tenantId, email, ctx.transaction);
  const user = known ?? (await inviteNewUser(ctx, email));
  if (user.status === 'suspended') {
    throw new ApiError('UNPROCESSABLE', 'The user with this e-mail address is suspended and cannot own a group');
  }
  await ctx.reserve('group_owners');
  const at = laterThan(user.updated_at, ctx.now);
  const row: GroupOwnerRow = {
    tenant_id: ctx.tenantId,
    group_id: groupId,
    user_id: user.id,
    created_at: at,
    updated_at: at,
  };
  try {
    await ctx.db.models.groupOwner.create(row, { transaction: ctx.transaction });
  } catch (error) {
    if (!violates(error, primaryKeyOf(GROUP_OWNERS))) throw error;
    throw new ApiError('ALREADY_OWNER', 'The user owns the group already, or is invited to', { cause: error });
  }
  const owner = presentOwner({ ...row, email: user.email, user_status: user.status });
  await ctx.emit('group.owner_invited', owner, at);
  const changes = { user_id: { before: null, after: user.id } };
  await ctx.audit({ action: 'group.owner_invited', target: { type: 'group', id: groupId }, changes, at });
  if (user.status === 'active') await mailOwner(ctx, user.email, group.name);
  return owner;
}

export async function removeOwner(ctx: WriteContext, groupId: string, userId: string): Promise<Deleted<'group_owner'>> {
  await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  await findGroup(ctx, groupId);
  const row = await findOwner(ctx, groupId, userId);
  const at = laterThan(row.updated_at, ctx.now);
  await ctx.db.models.groupOwner.destroy({
    where: { tenant_id: ctx.tenantId, group_id: groupId, user_id: userId },
    transaction: ctx.transaction,
  });
  await ctx.emit('group.owner_removed', presentOwner(row), at);
  const changes = { user_id: { before: userId, after: null } };
  await ctx.audit({ action: 'group.owner_removed', target: { type: 'group', id: groupId }, changes, at });
  return { object: 'group_owner', id: userId, deleted: true };
}

/** Finds an ownership. It takes no lock: a transaction that changes owners locks the group first. */
async function findOwner(ctx: Context, groupId: string, userId: string): Promise<OwnerView> {
  const row = isId('user', userId)
    ? await selectOne<OwnerView>(
        ctx.db,
        `SELECT ${VIEW.join(', ')} FROM group_owners
         WHERE tenant_id = :tenantId AND group_id = :groupId AND user_id = :userId`,
        { tenantId: ctx.tenantId, groupId, userId },
        ctx.transaction,
      )
    : undefined;
  if (!row) throw new ApiError('GROUP_OWNER_NOT_FOUND', 'The user is not an owner of the group');
  return row;
}

/** Invites a new user with the least role. If a concurrent request has created the user, uses that user. */
async function inviteNewUser(ctx: WriteContext, email: string): Promise<UserRow> {
  try {
    return await inviteUser(ctx, { email, role: 'viewer', name: null, clientId: null, locationId: null });
  } catch (error) {
    const isKnown = error instanceof ApiError && error.code === 'EMAIL_IN_USE';
    const user = isKnown ? await findUserByEmail(ctx.db, ctx.tenantId, email, ctx.transaction) : undefined;
    if (!user) throw error;
    return user;
  }
}

async function mailOwner(ctx: WriteContext, to: string, groupName: string): Promise<void> {
  const name = ctx.credential.sandbox ? null : plainName(groupName);
  const group = name === null ? 'a group' : `the group ${name}`;
  await ctx.mail({
    kind: 'group_owner',
    to,
    subject: `You now own ${group} on Plat`,
    text: `You now own ${group} on Plat.\n\nEmail: ${to}\nPlatform: ${ctx.baseUrl}\n`,
  });
}
