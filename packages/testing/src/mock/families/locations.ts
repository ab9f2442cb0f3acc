import type { Location, LocationCreateParams, LocationUpdateParams } from '@plat/contract';
import { type Answers, type Call, deleted, find, laterThan, pageById } from '../call.ts';
import { type AuditRecorder, audit, differs, emit } from '../record.ts';
import { Refusal } from '../refusal.ts';

export const locations: Answers<
  | 'clients.locations.list'
  | 'clients.locations.create'
  | 'clients.locations.get'
  | 'clients.locations.update'
  | 'clients.locations.delete'
  | 'groups.locations.list'
  | 'groups.locations.create'
  | 'groups.locations.get'
  | 'groups.locations.update'
  | 'groups.locations.delete'
> = {
  'clients.locations.list': (call) => pageById(call, 'location', locationsOf(call, ofClient(call))),
  'clients.locations.create': (call) => create(call, ofClient(call), call.body),
  'clients.locations.get': (call) => locationOf(call, ofClient(call), call.path.location_id),
  'clients.locations.update': (call) => update(call, ofClient(call), call.path.location_id, call.body),
  'clients.locations.delete': (call) => remove(call, ofClient(call), call.path.location_id),
  'groups.locations.list': (call) => pageById(call, 'location', locationsOf(call, ofGroup(call))),
  'groups.locations.create': (call) => create(call, ofGroup(call), call.body),
  'groups.locations.get': (call) => locationOf(call, ofGroup(call), call.path.location_id),
  'groups.locations.update': (call) => update(call, ofGroup(call), call.path.location_id, call.body),
  'groups.locations.delete': (call) => remove(call, ofGroup(call), call.path.location_id),
};

type Owner = Pick<Location, 'client_id' | 'group_id'>;

function ofClient({ world, path }: { world: Call['world']; path: { readonly client_id: string } }): Owner {
  return { client_id: find(world.clients, path.client_id, 'CLIENT_NOT_FOUND').id, group_id: null };
}

function ofGroup({ world, path }: { world: Call['world']; path: { readonly group_id: string } }): Owner {
  return { client_id: null, group_id: find(world.groups, path.group_id, 'GROUP_NOT_FOUND').id };
}

function locationsOf({ world }: Pick<Call, 'world'>, { client_id, group_id }: Owner): Location[] {
  return [...world.locations.values()].filter((row) => row.client_id === client_id && row.group_id === group_id);
}

function locationOf(call: Pick<Call, 'world'>, owner: Owner, id: string): Location {
  const location = locationsOf(call, owner).find((row) => row.id === id);
  if (!location) throw new Refusal('LOCATION_NOT_FOUND');
  return location;
}

/** Creates a location. The first location of an owner is always its default. */
function create(call: AuditRecorder, owner: Owner, input: LocationCreateParams): Location {
  const { world, now } = call;
  const others = locationsOf(call, owner);
  const isDefault = others.length === 0 || input.default === true;
  const at = isDefault ? takeFlag(call, others) : new Date(now).toISOString();
  const location: Location = {
    object: 'location',
    id: world.newId('location'),
    ...owner,
    name: input.name,
    address: input.address ?? null,
    timezone: input.timezone ?? world.settings.default_timezone,
    country: input.country,
    default: isDefault,
    created_at: at,
    updated_at: at,
  };
  world.locations.set(location.id, location);
  emit(call, 'location.created', location);
  audit(call, 'location.created', location);
  return location;
}

function update(call: AuditRecorder, owner: Owner, id: string, input: LocationUpdateParams): Location {
  const before = locationOf(call, owner, id);
  if (input.default === false && before.default) throw new Refusal('DEFAULT_LOCATION_PROTECTED');
  const after: Location = { ...before, ...input };
  if (!differs(before, after)) return before;
  if (after.default && !before.default) takeFlag(call, locationsOf(call, owner));
  return store(call, before, after);
}

/** Removes a location. Order of the checks: the only one, the default one, one with users. */
function remove(call: AuditRecorder, owner: Owner, id: string) {
  const { world, now } = call;
  const location = locationOf(call, owner, id);
  if (world.locations.size === 1) throw new Refusal('LAST_LOCATION_PROTECTED');
  if (location.default) throw new Refusal('DEFAULT_LOCATION_PROTECTED');
  if ([...world.users.values()].some(({ location_id }) => location_id === id)) throw new Refusal('LOCATION_IN_USE');
  world.locations.delete(id);
  emit(call, 'location.deleted', { ...location, updated_at: laterThan(location.updated_at, now) });
  audit(call, 'location.deleted', location);
  return deleted('location', id);
}

/** Clears the flag of the current default location. Returns a time after that change. */
function takeFlag(call: AuditRecorder, rows: readonly Location[]): string {
  const holder = rows.find((row) => row.default);
  if (!holder) return new Date(call.now).toISOString();
  return laterThan(store(call, holder, { ...holder, default: false }).updated_at, call.now);
}

function store(call: AuditRecorder, before: Location, changed: Location): Location {
  const after = { ...changed, updated_at: laterThan(before.updated_at, call.now) };
  call.world.locations.set(after.id, after);
  emit(call, 'location.updated', after);
  audit(call, 'location.updated', after, before);
  return after;
}
