import type { Deleted, ListParams, Location, LocationCreateParams, LocationUpdateParams } from '@plat/contract';
import type { Context, WriteContext } from '../../context.ts';
import { changedFields } from '../../db/changes.ts';
import { findById } from '../../db/find.ts';
import { filter, selectPage } from '../../db/page.ts';
import { execute, selectOne } from '../../db/sql.ts';
import type { LocationRow } from '../../db/tables/locations.ts';
import type { Page } from '../../http/route.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { presentLocation } from './locations.present.ts';

/** Whose locations: the client or group in the path. */
export interface Owner {
  readonly kind: 'client' | 'group';
  readonly id: string;
}

const COLUMNS = [
  ...['tenant_id', 'id', 'owner_id', 'default_of', 'name', 'address', 'timezone', 'country'],
  ...['created_at', 'updated_at'],
];

export async function listLocations(ctx: Context, owner: Owner, params: ListParams): Promise<Page<Location>> {
  await findOwner(ctx, owner);
  const { rows, hasMore } = await selectPage<LocationRow>(ctx.db, {
    table: 'locations',
    columns: COLUMNS,
    kind: 'location',
    tenantId: ctx.tenantId,
    params,
    where: filter('owner_id', owner.id),
  });
  return { data: rows.map(presentLocation), hasMore };
}

export async function getLocation(ctx: Context, owner: Owner, locationId: string): Promise<Location> {
  return presentLocation(await findLocation(ctx, owner, locationId));
}

/** The first location of an owner is its default, whatever the input says. */
export async function createLocation(ctx: WriteContext, owner: Owner, input: LocationCreateParams): Promise<Location> {
  await findOwner(ctx, owner);
  await ctx.reserve('locations');
  const holder = await findDefault(ctx, owner);
  const isDefault = holder === undefined || input.default === true;
  const at = holder && isDefault ? laterThan(await takeFlag(ctx, holder), ctx.now) : ctx.now;
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

/** A changed name is told too: whoever keeps a copy of the location would otherwise have an old one. */
export async function updateLocation(
  ctx: WriteContext,
  owner: Owner,
  locationId: string,
  input: LocationUpdateParams,
): Promise<Location> {
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
  const holder = after.default_of === before.default_of ? undefined : await findDefault(ctx, owner);
  const taken = holder ? await takeFlag(ctx, holder) : 0;
  return storeLocation(ctx, before, { ...after, updated_at: laterThan(Math.max(before.updated_at, taken), ctx.now) });
}

/** The three guards in the order of their codes: the only one, the default one, one with users. */
export async function deleteLocation(
  ctx: WriteContext,
  owner: Owner,
  locationId: string,
): Promise<Deleted<'location'>> {
  const before = await findLocation(ctx, owner, locationId);
  await refuseLast(ctx, before);
  refuseDefault(before, 'deleted');
  await refuseInUse(ctx, before);
  const at = laterThan(before.updated_at, ctx.now);
  await execute(
    ctx.db,
    'DELETE FROM locations WHERE tenant_id = :tenantId AND id = :locationId',
    { tenantId: ctx.tenantId, locationId },
    ctx.transaction,
  );
  await ctx.emit('location.deleted', presentLocation({ ...before, updated_at: at }), at);
  await ctx.audit({ action: 'location.deleted', target: { type: 'location', id: locationId }, at });
  return { object: 'location', id: locationId, deleted: true };
}

/** Locked inside a transaction: all changes of an owner's locations go one after the other. */
async function findOwner(ctx: Context, { kind, id }: Owner): Promise<void> {
  await findById(ctx, { ...OWNERS[kind], columns: ['id'], kind, id });
}

const OWNERS = {
  client: { table: 'clients', missing: 'CLIENT_NOT_FOUND' },
  group: { table: 'client_groups', missing: 'GROUP_NOT_FOUND' },
} as const;

/** Locked inside a transaction, the owner first: nobody is assigned to a location while it goes. */
async function findLocation(ctx: Context, owner: Owner, id: string): Promise<LocationRow> {
  await findOwner(ctx, owner);
  const missing = 'LOCATION_NOT_FOUND';
  const row = await findById<LocationRow>(ctx, { table: 'locations', columns: COLUMNS, kind: 'location', id, missing });
  if (row.owner_id !== owner.id) throw new ApiError(missing, `There is no such location of the ${owner.kind}`);
  return row;
}

function findDefault(ctx: WriteContext, { id }: Owner): Promise<LocationRow | undefined> {
  return selectOne<LocationRow>(
    ctx.db,
    `SELECT ${COLUMNS.join(', ')} FROM locations WHERE tenant_id = :tenantId AND default_of = :ownerId`,
    { tenantId: ctx.tenantId, ownerId: id },
    ctx.transaction,
  );
}

/** Takes the flag from the location that has it, before another one gets it. Resolves to the instant. */
async function takeFlag(ctx: WriteContext, holder: LocationRow): Promise<number> {
  const at = laterThan(holder.updated_at, ctx.now);
  await storeLocation(ctx, holder, { ...holder, default_of: null, updated_at: at });
  return at;
}

async function storeLocation(ctx: WriteContext, before: LocationRow, after: LocationRow): Promise<Location> {
  await execute(
    ctx.db,
    `UPDATE locations SET default_of = :default_of, name = :name, address = :address, timezone = :timezone,
       country = :country, updated_at = :updated_at
     WHERE tenant_id = :tenant_id AND id = :id`,
    { ...after },
    ctx.transaction,
  );
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
  const other = await selectOne(
    ctx.db,
    'SELECT id FROM locations WHERE tenant_id = :tenantId AND id <> :id LIMIT 1',
    { tenantId: ctx.tenantId, id },
    ctx.transaction,
  );
  if (!other) throw new ApiError('LAST_LOCATION_PROTECTED', 'The only location of the tenant cannot be deleted');
}

function refuseDefault({ default_of }: LocationRow, done: 'cleared' | 'deleted'): void {
  if (default_of === null) return;
  const message = `The default location cannot be ${done}; make another one the default first`;
  throw new ApiError('DEFAULT_LOCATION_PROTECTED', message);
}

async function refuseInUse(ctx: WriteContext, { id }: LocationRow): Promise<void> {
  const user = await selectOne(
    ctx.db,
    'SELECT id FROM users WHERE tenant_id = :tenantId AND location_id = :id LIMIT 1',
    { tenantId: ctx.tenantId, id },
    ctx.transaction,
  );
  if (user) throw new ApiError('LOCATION_IN_USE', 'Users are assigned to the location; assign them elsewhere first');
}

async function defaultTimezone(ctx: WriteContext): Promise<string> {
  const settings = await selectOne<{ default_timezone: string }>(
    ctx.db,
    'SELECT default_timezone FROM settings WHERE tenant_id = :tenantId',
    { tenantId: ctx.tenantId },
    ctx.transaction,
  );
  return settings?.default_timezone ?? 'UTC';
}
