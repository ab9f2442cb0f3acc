import type { ListParams, Role, RoleCreateParams, RoleUpdateParams } from '@plat/contract';
import { capabilityCatalog, storedCapabilities } from '../../accounts/capabilities.ts';
import type { Context, WriteContext } from '../../context.ts';
import { changedFields } from '../../db/changes.ts';
import { violates } from '../../db/errors.ts';
import { findById } from '../../db/find.ts';
import { selectPage } from '../../db/page.ts';
import { ROLE_NAME, ROLES, type RoleRow } from '../../db/tables/roles.ts';
import type { Page } from '../../http/route.ts';
import { refusal } from '../../http/validate.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { presentRole } from './roles.present.ts';

export async function listRoles(ctx: Context, params: ListParams): Promise<Page<Role>> {
  const { rows, hasMore } = await selectPage(ctx.db, {
    table: ROLES,
    kind: 'role',
    tenantId: ctx.tenantId,
    params,
  });
  return { data: await presentRoles(ctx, rows), hasMore };
}

export async function getRole(ctx: Context, roleId: string): Promise<Role> {
  const row = await findRole(ctx, roleId);
  return presentRole(row, row.built_in === 1 ? await capabilityCatalog(ctx) : []);
}

export async function createRole(ctx: WriteContext, input: RoleCreateParams): Promise<Role> {
  const { name, title, description = null, capabilities = [] } = input;
  await refuseUnknown(ctx, capabilities);
  await ctx.reserve('roles');
  const row: RoleRow = {
    tenant_id: ctx.tenantId,
    id: newId('role', ctx.now),
    name,
    title,
    description,
    built_in: 0,
    capabilities: storedCapabilities(capabilities),
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  try {
    await ctx.db.models.role.create(row, { transaction: ctx.transaction });
  } catch (error) {
    if (!violates(error, ROLE_NAME)) throw error;
    throw new ApiError('ROLE_NAME_IN_USE', `The tenant has a role ${name} already`, { cause: error });
  }
  await ctx.audit({ action: 'role.created', target: { type: 'role', id: row.id }, at: ctx.now });
  return presentRole(row);
}

export async function updateRole(ctx: WriteContext, roleId: string, input: RoleUpdateParams): Promise<Role> {
  const before = await findRole(ctx, roleId);
  if (before.built_in === 1) throw new ApiError('ROLE_BUILT_IN', `The role ${before.name} is built in`);
  if (input.capabilities) await refuseUnknown(ctx, input.capabilities);
  const after: RoleRow = {
    ...before,
    title: input.title ?? before.title,
    description: input.description === undefined ? before.description : input.description,
    capabilities: input.capabilities ? storedCapabilities(input.capabilities) : before.capabilities,
    updated_at: laterThan(before.updated_at, ctx.now),
  };
  const role = presentRole(after);
  const changes = changedFields(presentRole(before), role);
  if (Object.keys(changes).length === 0) return presentRole(before);
  const { tenant_id, id, ...columns } = after;
  await ctx.db.models.role.update(columns, {
    where: { tenant_id, id },
    transaction: ctx.transaction,
  });
  await ctx.audit({ action: 'role.updated', target: { type: 'role', id: roleId }, changes, at: after.updated_at });
  return role;
}

function findRole(ctx: Context, id: string): Promise<RoleRow> {
  return findById(ctx, { table: ROLES, kind: 'role', id, missing: 'ROLE_NOT_FOUND' });
}

async function presentRoles(ctx: Context, rows: readonly RoleRow[]): Promise<Role[]> {
  const catalog = rows.some(({ built_in }) => built_in === 1) ? await capabilityCatalog(ctx) : [];
  return rows.map((row) => presentRole(row, catalog));
}

/** @throws {@link ApiError} INVALID_BODY naming each capability that no module has */
async function refuseUnknown(ctx: WriteContext, capabilities: readonly string[]): Promise<void> {
  if (capabilities.length === 0) return;
  const known = new Set(await capabilityCatalog(ctx));
  const errors = capabilities.flatMap((id, i) =>
    known.has(id) ? [] : [{ path: `capabilities.${i}`, message: 'is not a capability of the module catalog' }],
  );
  if (errors.length > 0) throw refusal('INVALID_BODY', errors);
}
