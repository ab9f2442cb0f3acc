import {
  type Deleted,
  distinctSlug,
  type Group,
  type GroupCreateParams,
  type GroupUpdateParams,
  type ListParams,
  slugFromName,
} from '@plat/contract';
import type { Context, WriteContext } from '../../context.ts';
import { changedFields } from '../../db/changes.ts';
import { violates } from '../../db/errors.ts';
import { findById } from '../../db/find.ts';
import { deleteLocationsOf } from '../../db/owned-locations.ts';
import { presentPage, selectPage } from '../../db/page.ts';
import { lockReferences } from '../../db/row-lock.ts';
import { CLIENT_GROUPS, GROUP_SLUG, type GroupRow } from '../../db/tables/client-groups.ts';
import { GROUP_MEMBERS } from '../../db/tables/group-members.ts';
import type { Page } from '../../http/route.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { presentGroup } from './groups.present.ts';

export async function listGroups(ctx: Context, params: ListParams): Promise<Page<Group>> {
  const page = await selectPage(ctx.db, { table: CLIENT_GROUPS, kind: 'group', tenantId: ctx.tenantId, params });
  return presentPage(page, presentGroup);
}

/** Returns the groups that contain a client, newest group first. Reads one range of one index. */
export async function listGroupsOfClient(ctx: Context, clientId: string, params: ListParams): Promise<Page<Group>> {
  const { rows, ...page } = await selectPage(ctx.db, {
    table: GROUP_MEMBERS,
    columns: ['group_id'],
    kind: 'group',
    idColumn: 'group_id',
    tenantId: ctx.tenantId,
    params,
    filters: { client_id: clientId },
  });
  const where = { tenant_id: ctx.tenantId, id: rows.map(({ group_id }) => group_id) };
  const groups = await ctx.db.models.group.findAll({ where, order: [['id', 'DESC']], raw: true });
  return { ...page, data: groups.map(presentGroup) };
}

/** Returns the group with a slug; undefined without one. Reads one row of the unique index. */
export async function groupOfSlug({ db, tenantId }: Context, slug: string): Promise<Group | undefined> {
  const row = await db.models.group.findOne({ where: { tenant_id: tenantId, slug }, raw: true });
  return row ? presentGroup(row) : undefined;
}

export async function getGroup(ctx: Context, groupId: string): Promise<Group> {
  return presentGroup(await findGroup(ctx, groupId));
}

export async function createGroup(ctx: WriteContext, input: GroupCreateParams): Promise<Group> {
  await ctx.reserve('groups');
  const id = newId('group', ctx.now);
  const row: GroupRow = {
    tenant_id: ctx.tenantId,
    id,
    name: input.name,
    slug: input.slug ?? slugFromName(input.name, 'group'),
    membership_policy: input.membership_policy ?? 'invite_only',
    member_count: 0,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  const group = presentGroup(await insertGroup(ctx, row, input.slug === undefined));
  await ctx.emit('group.created', group, ctx.now);
  await ctx.audit({ action: 'group.created', target: { type: 'group', id }, at: ctx.now });
  return group;
}

export async function updateGroup(ctx: WriteContext, groupId: string, input: GroupUpdateParams): Promise<Group> {
  const before = await findGroup(ctx, groupId);
  const after: GroupRow = {
    ...before,
    name: input.name ?? before.name,
    slug: input.slug ?? before.slug,
    membership_policy: input.membership_policy ?? before.membership_policy,
    updated_at: laterThan(before.updated_at, ctx.now),
  };
  const group = presentGroup(after);
  const changes = changedFields(presentGroup(before), group);
  if (Object.keys(changes).length === 0) return presentGroup(before);
  await storeGroup(ctx, after);
  await ctx.emit('group.updated', group, after.updated_at);
  await ctx.audit({ action: 'group.updated', target: { type: 'group', id: groupId }, changes, at: after.updated_at });
  return group;
}

/** Deletes a group permanently, with its members, owners and locations. One event covers all of them. */
export async function deleteGroup(ctx: WriteContext, groupId: string): Promise<Deleted<'group'>> {
  const { db, tenantId, transaction } = ctx;
  await lockReferences(db, tenantId, transaction);
  const before = await findGroup(ctx, groupId);
  const at = laterThan(before.updated_at, ctx.now);
  await deleteLocationsOf(db, transaction, { tenantId, ownerId: groupId, at });
  const { group, groupMember, groupOwner } = db.models;
  await groupMember.destroy({ where: { tenant_id: tenantId, group_id: groupId }, transaction });
  await groupOwner.destroy({ where: { tenant_id: tenantId, group_id: groupId }, transaction });
  await group.destroy({ where: { tenant_id: tenantId, id: groupId }, transaction });
  await ctx.emit('group.deleted', presentGroup({ ...before, updated_at: at }), at);
  await ctx.audit({ action: 'group.deleted', target: { type: 'group', id: groupId }, at });
  return { object: 'group', id: groupId, deleted: true };
}

/**
 * Finds a group of the tenant. Inside a transaction it locks the group, so that other changes of members and owners
 * wait.
 * @throws {@link ApiError} GROUP_NOT_FOUND
 */
export function findGroup(ctx: Context, id: string): Promise<GroupRow> {
  return findById(ctx, { table: CLIENT_GROUPS, kind: 'group', id, missing: 'GROUP_NOT_FOUND' });
}

/** Inserts the row. A slug that was derived from the name changes if it is taken. */
async function insertGroup(ctx: WriteContext, row: GroupRow, mayRename: boolean): Promise<GroupRow> {
  try {
    await ctx.db.models.group.create(row, { transaction: ctx.transaction });
    return row;
  } catch (error) {
    if (mayRename && violates(error, GROUP_SLUG)) {
      return insertGroup(ctx, { ...row, slug: distinctSlug(row.slug, row.id) }, false);
    }
    throw slugCollision(error, row);
  }
}

async function storeGroup(ctx: WriteContext, row: GroupRow): Promise<void> {
  try {
    const { tenant_id, id, ...columns } = row;
    await ctx.db.models.group.update(columns, {
      where: { tenant_id, id },
      transaction: ctx.transaction,
    });
  } catch (error) {
    throw slugCollision(error, row);
  }
}

function slugCollision(error: unknown, row: GroupRow): unknown {
  if (!violates(error, GROUP_SLUG)) return error;
  const message = `The slug ${row.slug} is used by another group of the tenant`;
  return new ApiError('SLUG_IN_USE', message, { cause: error });
}
