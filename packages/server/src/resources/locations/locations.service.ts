import type { Deleted, ListParams, Location, LocationCreateParams, LocationUpdateParams } from '@plat/contract';
import { Op } from 'sequelize';
import type { Context, WriteContext } from '../../context.ts';
import { changedFields } from '../../db/changes.ts';
import { findById } from '../../db/find.ts';
import { presentPage, selectPage } from '../../db/page.ts';
import { lockReferences } from '../../db/row-lock.ts';
import { CLIENT_GROUPS } from '../../db/tables/client-groups.ts';
import { CLIENTS } from '../../db/tables/clients.ts';
import { LOCATIONS, type LocationRow } from '../../db/tables/locations.ts';
import type { Page } from '../../http/route.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { presentLocation } from './locations.present.ts';

/** Owner of the locations: the client or group in the path. */
export interface Owner {
  readonly kind: 'client' | 'group';
  readonly id: string;
}

export async function listLocations(ctx: Context, owner: Owner, params: ListParams): Promise<Page<Location>> {
  await findOwner(ctx, owner);
  const page = await selectPage(ctx.db, {
    table: LOCATIONS,
    kind: 'location',
    tenantId: ctx.tenantId,
    params,
    filters: { owner_id: owner.id },
  });
  return presentPage(page, presentLocation);
}

export async function getLocation(ctx: Context, owner: Owner, locationId: string): Promise<Location> {
  return presentLocation(await findLocation(ctx, owner, locationId));
}

/** Creates a location. The first location of an owner is its default, regardless of the input. */
export async function createLocation(ctx: WriteContext, owner: Owner, input: LocationCreateParams): Promise<Location> {
  await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  await findOwner(ctx, owner);
  await ctx.reserve('locations');
  const holder = await findDefault(ctx, owner);
  const isDefault = holder === null || input.default === true;
  const at = holder && isDefault ? laterThan(await clearDefaultFlag(ctx, holder), ctx.now) : ctx.now;
  const id = newId('location', at);
  const row: LocationRow = {
    tenant_id: ctx.tenantId,
    id,
    owner_id: owner.id,
    default_of: isDefault ? owner.id : null,
    name: input.name,
    address: input.address ?? null,
    timezone: input.timezone ?? (await defaultTimezone(ctx)),
    country: input.country,
    created_at: at,
    updated_at: at,
  };
  await ctx.db.models.location.create(row, { transaction: ctx.transaction });
  const location = presentLocation(row);
  await ctx.emit('location.created', location, at);
  await ctx.audit({ action: 'location.created', target: { type: 'location', id }, at });
  return location;
}

/** Updates a location. A changed name emits an event too, so that copies of the location stay current. */
export async function updateLocation(
  ctx: WriteContext,
  owner: Owner,
  locationId: string,
  input: LocationUpdateParams,
): Promise<Location> {
  await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  const before = await findLocation(ctx, owner, locationId);
  if (input.default === false) refuseDefault(before, 'cleared');
  const after: LocationRow = {
    ...before,
    default_of: input.default === true ? owner.id : before.default_of,
    name: input.name ?? before.name,
    address: input.address === undefined ? before.address : input.address,
    timezone: input.timezone ?? before.timezone,
    country: input.country ?? before.country,
  };
  if (Object.keys(changedFields(before, after)).length === 0) return presentLocation(before);
  const holder = after.default_of === before.default_of ? null : await findDefault(ctx, owner);
  const taken = holder ? await clearDefaultFlag(ctx, holder) : 0;
  return storeLocation(ctx, before, { ...after, updated_at: laterThan(Math.max(before.updated_at, taken), ctx.now) });
}

/** Checks three rules in the order of their codes: the only location, the default one, one with users. */
export async function deleteLocation(
  ctx: WriteContext,
  owner: Owner,
  locationId: string,
): Promise<Deleted<'location'>> {
  await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  const before = await findLocation(ctx, owner, locationId);
  await refuseLast(ctx, before);
  refuseDefault(before, 'deleted');
  await refuseInUse(ctx, before);
  const at = laterThan(before.updated_at, ctx.now);
  await ctx.db.models.location.destroy({
    where: { tenant_id: ctx.tenantId, id: locationId },
    transaction: ctx.transaction,
  });
  await ctx.emit('location.deleted', presentLocation({ ...before, updated_at: at }), at);
  await ctx.audit({ action: 'location.deleted', target: { type: 'location', id: locationId }, at });
  return { object: 'location', id: locationId, deleted: true };
}

/** Finds the owner. Locked inside a transaction, so that changes of an owner's locations run one after the other. */
async function findOwner(ctx: Context, { kind, id }: Owner): Promise<void> {
  if (kind === 'client') {
    await findById(ctx, { table: CLIENTS, columns: ['id'], kind, id, missing: 'CLIENT_NOT_FOUND' });
  } else {
    await findById(ctx, { table: CLIENT_GROUPS, columns: ['id'], kind, id, missing: 'GROUP_NOT_FOUND' });
  }
}

/** Returns the id of the client or group that has a location; null if there is none. */
export async function ownerOfLocation({ db, tenantId }: Pick<Context, 'db' | 'tenantId'>, id: string) {
  const where = { tenant_id: tenantId, id };
  const row = await db.models.location.findOne({ attributes: ['owner_id'], where, raw: true });
  return row?.owner_id ?? null;
}

/**
 * Finds a location. Inside a transaction it locks the owner first, so that no user is assigned to a location that is
 * being deleted.
 */
async function findLocation(ctx: Context, owner: Owner, id: string): Promise<LocationRow> {
  await findOwner(ctx, owner);
  const missing = 'LOCATION_NOT_FOUND';
  const row = await findById(ctx, { table: LOCATIONS, kind: 'location', id, missing });
  if (row.owner_id !== owner.id) throw new ApiError(missing, `There is no such location of the ${owner.kind}`);
  return row;
}

function findDefault(ctx: WriteContext, { id }: Owner): Promise<LocationRow | null> {
  return ctx.db.models.location.findOne({
    where: { tenant_id: ctx.tenantId, default_of: id },
    transaction: ctx.transaction,
    raw: true,
  });
}

/** Clears the default flag of its present location, before another one gets it. Resolves to the time of the change. */
async function clearDefaultFlag(ctx: WriteContext, holder: LocationRow): Promise<number> {
  const at = laterThan(holder.updated_at, ctx.now);
  await storeLocation(ctx, holder, { ...holder, default_of: null, updated_at: at });
  return at;
}

async function storeLocation(ctx: WriteContext, before: LocationRow, after: LocationRow): Promise<Location> {
  const { tenant_id, id, ...columns } = after;
  await ctx.db.models.location.update(columns, {
    where: { tenant_id, id },
    transaction: ctx.transaction,
  });
  const location = presentLocation(after);
  await ctx.emit('location.updated', location, after.updated_at);
  await ctx.audit({
    action: 'location.updated',
    target: { type: 'location', id: after.id },
    changes: changedFields(presentLocation(before), location),
    at: after.updated_at,
  });
  return location;
}

async function refuseLast(ctx: WriteContext, { id }: LocationRow): Promise<void> {
  const other = await ctx.db.models.location.findOne({
    where: { tenant_id: ctx.tenantId, id: { [Op.ne]: id } },
    transaction: ctx.transaction,
    raw: true,
  });
  if (!other) throw new ApiError('LAST_LOCATION_PROTECTED', 'The only location of the tenant cannot be deleted');
}

function refuseDefault({ default_of }: LocationRow, done: 'cleared' | 'deleted'): void {
  if (default_of === null) return;
  const message = `The default location cannot be ${done}; make another one the default first`;
  throw new ApiError('DEFAULT_LOCATION_PROTECTED', message);
}

async function refuseInUse(ctx: WriteContext, { id }: LocationRow): Promise<void> {
  const user = await ctx.db.models.user.findOne({
    where: { tenant_id: ctx.tenantId, location_id: id },
    transaction: ctx.transaction,
    raw: true,
  });
  if (user) throw new ApiError('LOCATION_IN_USE', 'Users are assigned to the location; assign them elsewhere first');
}

async function defaultTimezone(ctx: WriteContext): Promise<string> {
  const settings = await ctx.db.models.settings.findByPk(ctx.tenantId, { transaction: ctx.transaction, raw: true });
  return settings?.default_timezone ?? 'UTC';
}
