import { type Deleted, type GroupMember, type GroupMemberAddParams, isId, type ListParams } from '@plat/contract';
import type { Context, WriteContext } from '../../context.ts';
import { violates } from '../../db/errors.ts';
import { findById } from '../../db/find.ts';
import { presentPage, selectJoinedPage, selectPage } from '../../db/page.ts';
import { lockReferences } from '../../db/row-lock.ts';
import { columnsExcept } from '../../db/statements.ts';
import type { GroupRow } from '../../db/tables/client-groups.ts';
import { CLIENTS, type ClientRow } from '../../db/tables/clients.ts';
import { GROUP_MEMBERS, type GroupMemberRow } from '../../db/tables/group-members.ts';
import { primaryKeyOf } from '../../db/tables/table.ts';
import type { Page } from '../../http/route.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { presentMember } from './groups.present.ts';
import { findGroup } from './groups.service.ts';

export async function listMembers(ctx: Context, groupId: string, params: ListParams): Promise<Page<GroupMember>> {
  await findGroup(ctx, groupId);
  const page = await selectPage(ctx.db, {
    table: GROUP_MEMBERS,
    kind: 'client',
    idColumn: 'client_id',
    tenantId: ctx.tenantId,
    params,
    filters: { group_id: groupId },
  });
  return presentPage(page, presentMember);
}

/** A member with the name and the slug of its client. */
export interface NamedMember extends GroupMember {
  readonly name: string;
  readonly slug: string;
}

const CLIENT =
  'FROM clients WHERE clients.tenant_id = group_members.tenant_id AND clients.id = group_members.client_id';
/** Subqueries for the columns of the client's row: with a join, the database would choose the order of rows. */
const NAMED = [
  ...columnsExcept(GROUP_MEMBERS, ['tenant_id']),
  `(SELECT name ${CLIENT}) AS name`,
  `(SELECT slug ${CLIENT}) AS slug`,
];

/** Returns the members of a group with their names. Reads one range of one index. */
export async function listNamedMembers(ctx: Context, groupId: string, params: ListParams): Promise<Page<NamedMember>> {
  await findGroup(ctx, groupId);
  const page = await selectJoinedPage<Omit<GroupMemberRow, 'tenant_id'> & Pick<ClientRow, 'name' | 'slug'>>(ctx.db, {
    table: GROUP_MEMBERS,
    from: GROUP_MEMBERS.name,
    columns: NAMED,
    kind: 'client',
    idColumn: 'client_id',
    tenantId: ctx.tenantId,
    params,
    filters: { group_id: groupId },
  });
  return presentPage(page, ({ name, slug, ...row }) => ({ ...presentMember(row), name, slug }));
}

export async function getMember(ctx: Context, groupId: string, clientId: string): Promise<GroupMember> {
  await findGroup(ctx, groupId);
  return presentMember(await findMember(ctx, groupId, clientId));
}

export async function addMember(
  ctx: WriteContext,
  groupId: string,
  { client_id: clientId }: GroupMemberAddParams,
): Promise<GroupMember> {
  await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  const group = await findGroup(ctx, groupId);
  // Locked, so that a deletion of the client waits and then ends the new membership too.
  await findById(ctx, { table: CLIENTS, columns: ['id'], kind: 'client', id: clientId, missing: 'CLIENT_NOT_FOUND' });
  await ctx.reserve('group_members');
  const at = laterThan(group.updated_at, ctx.now);
  const row: GroupMemberRow = {
    tenant_id: ctx.tenantId,
    group_id: groupId,
    client_id: clientId,
    created_at: at,
    updated_at: at,
  };
  try {
    await ctx.db.models.groupMember.create(row, { transaction: ctx.transaction });
  } catch (error) {
    if (!violates(error, primaryKeyOf(GROUP_MEMBERS))) throw error;
    throw new ApiError('ALREADY_MEMBER', 'The client is a member of the group already', { cause: error });
  }
  await storeCount(ctx, group, group.member_count + 1, at);
  const member = presentMember(row);
  await ctx.emit('group.member_added', member, at);
  const changes = { client_id: { before: null, after: clientId } };
  await ctx.audit({ action: 'group.member_added', target: { type: 'group', id: groupId }, changes, at });
  return member;
}

export async function removeMember(
  ctx: WriteContext,
  groupId: string,
  clientId: string,
): Promise<Deleted<'group_member'>> {
  const group = await findGroup(ctx, groupId);
  const row = await findMember(ctx, groupId, clientId);
  const at = laterThan(group.updated_at, ctx.now);
  await ctx.db.models.groupMember.destroy({
    where: { tenant_id: ctx.tenantId, group_id: groupId, client_id: clientId },
    transaction: ctx.transaction,
  });
  await storeCount(ctx, group, group.member_count - 1, at);
  await ctx.emit('group.member_removed', presentMember(row), at);
  const changes = { client_id: { before: clientId, after: null } };
  await ctx.audit({ action: 'group.member_removed', target: { type: 'group', id: groupId }, changes, at });
  return { object: 'group_member', id: clientId, deleted: true };
}

/** Finds a membership. It takes no lock: a transaction that changes members locks the group first. */
async function findMember(ctx: Context, groupId: string, clientId: string): Promise<GroupMemberRow> {
  const row = isId('client', clientId)
    ? await ctx.db.models.groupMember.findOne({
        where: { tenant_id: ctx.tenantId, group_id: groupId, client_id: clientId },
        transaction: ctx.transaction,
        raw: true,
      })
    : null;
  if (!row) throw new ApiError('GROUP_MEMBER_NOT_FOUND', 'The client is not a member of the group');
  return row;
}

/** Stores the member count. The count is a field of the group, so `updated_at` changes too. */
async function storeCount(ctx: WriteContext, { id }: GroupRow, memberCount: number, at: number): Promise<void> {
  await ctx.db.models.group.update(
    { member_count: memberCount, updated_at: at },
    { where: { tenant_id: ctx.tenantId, id }, transaction: ctx.transaction },
  );
}
