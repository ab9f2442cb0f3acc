import { type Route, route } from '../../http/route.ts';
import { deletedLocation, location, locationCreate, locationList, locationUpdate } from './locations.schemas.ts';
import {
  createLocation,
  deleteLocation,
  getLocation,
  listLocations,
  type Owner,
  updateLocation,
} from './locations.service.ts';

const client = (path: { readonly client_id: string }): Owner => ({ kind: 'client', id: path.client_id });
const group = (path: { readonly group_id: string }): Owner => ({ kind: 'group', id: path.group_id });
const GUARDS = ['LAST_LOCATION_PROTECTED', 'DEFAULT_LOCATION_PROTECTED', 'LOCATION_IN_USE'] as const;

export const locationRoutes: readonly Route[] = [
  route('clients.locations.list', {
    query: locationList,
    response: location,
    errors: ['CLIENT_NOT_FOUND'],
    handle: (ctx, { path, query }) => listLocations(ctx, client(path), query),
  }),
  route('clients.locations.create', {
    body: locationCreate,
    response: location,
    errors: ['CLIENT_NOT_FOUND', 'QUOTA_EXCEEDED'],
    handle: (ctx, { path, body }) => createLocation(ctx, client(path), body),
  }),
  route('clients.locations.get', {
    response: location,
    errors: ['CLIENT_NOT_FOUND', 'LOCATION_NOT_FOUND'],
    handle: (ctx, { path }) => getLocation(ctx, client(path), path.location_id),
  }),
  route('clients.locations.update', {
    body: locationUpdate,
    response: location,
    errors: ['CLIENT_NOT_FOUND', 'LOCATION_NOT_FOUND', 'DEFAULT_LOCATION_PROTECTED'],
    handle: (ctx, { path, body }) => updateLocation(ctx, client(path), path.location_id, body),
  }),
  route('clients.locations.delete', {
    response: deletedLocation,
    errors: ['CLIENT_NOT_FOUND', 'LOCATION_NOT_FOUND', ...GUARDS],
    handle: (ctx, { path }) => deleteLocation(ctx, client(path), path.location_id),
  }),

  route('groups.locations.list', {
    query: locationList,
    response: location,
    errors: ['GROUP_NOT_FOUND'],
    handle: (ctx, { path, query }) => listLocations(ctx, group(path), query),
  }),
  route('groups.locations.create', {
    body: locationCreate,
    response: location,
    errors: ['GROUP_NOT_FOUND', 'QUOTA_EXCEEDED'],
    handle: (ctx, { path, body }) => createLocation(ctx, group(path), body),
  }),
  route('groups.locations.get', {
    response: location,
    errors: ['GROUP_NOT_FOUND', 'LOCATION_NOT_FOUND'],
    handle: (ctx, { path }) => getLocation(ctx, group(path), path.location_id),
  }),
  route('groups.locations.update', {
    body: locationUpdate,
    response: location,
    errors: ['GROUP_NOT_FOUND', 'LOCATION_NOT_FOUND', 'DEFAULT_LOCATION_PROTECTED'],
    handle: (ctx, { path, body }) => updateLocation(ctx, group(path), path.location_id, body),
  }),
  route('groups.locations.delete', {
    response: deletedLocation,
    errors: ['GROUP_NOT_FOUND', 'LOCATION_NOT_FOUND', ...GUARDS],
    handle: (ctx, { path }) => deleteLocation(ctx, group(path), path.location_id),
  }),
];
